int mgproto_stub() { return 0; }

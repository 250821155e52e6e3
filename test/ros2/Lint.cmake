# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

# The linters that package.xml names, on all of the package: ament_package() adds them as tests of
# the directory that this file is included in.
find_package(ament_lint_auto QUIET)
if(NOT ament_lint_auto_FOUND)
  return()
endif()
ament_lint_auto_find_test_dependencies()

function(_prepare_linters)
  if(TEST copyright)
    # Knows our headers by a package that is beside the tests.
    set_tests_properties(copyright PROPERTIES ENVIRONMENT_MODIFICATION
      "PYTHONPATH=path_list_prepend:${PROJECT_SOURCE_DIR}/test/lint/spdx")
  endif()
  set(_catalog /usr/share/ament_xmllint/xml-catalog)
  if(TEST xmllint AND EXISTS "${_catalog}")
    # Debian's copy of the schemas, which are otherwise looked up in the network.
    file(WRITE "${PROJECT_BINARY_DIR}/xml_catalog.xml"
      "<catalog xmlns=\"urn:oasis:names:tc:entity:xmlns:xml:catalog\">\n"
      "  <rewriteURI uriStartString=\"http://\" rewritePrefix=\"file://${_catalog}/\"/>\n"
      "</catalog>\n")
    set_tests_properties(xmllint PROPERTIES ENVIRONMENT
      "XML_CATALOG_FILES=${PROJECT_BINARY_DIR}/xml_catalog.xml")
  endif()
endfunction()
cmake_language(DEFER CALL _prepare_linters)

#!/usr/bin/env bash
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
#
# The whole of it on one machine, without a robot: a player shows groceries, or drawn birds and
# strangers, as a camera would, the perception node answers, a page shows it, the answers are scored
# live, and after a while one of the things that the node did not know is taught to it.
set -euo pipefail
readonly called_from=$PWD
cd "$(dirname "$0")/.."
readonly root=$PWD

usage() {
  cat <<'END'
Usage: scripts/demo.sh [OPTIONS]
Installs what is missing, builds, and shows photographs of groceries to the perception node: of 28
products that it knows and of 12 that it does not. Once it has seen a few pictures of one of those,
that is taught to it, and it is known from then on. Ctrl-C ends it.
  --seconds N   end so long after the first prediction (default: never)
  --json        at the end a summary as JSON, the only line on standard output
  --teach NAME  the product (default: Regular-Tomato; one of config/groceries/unseen), or "" for none:
                it is then you who teaches, on the page
  --teach-after N   seconds before that (default: 20)
  --birds       instead of groceries drawn birds, half of them of known species, the rest unseen
                species, vehicles and textures; nothing is taught
  --train       make the birds' model first, about 10 minutes on two cores; kept in
                build/demo/training
  --model FILE  another model (default: config/models/groceries.safetensors)
  --rate HZ     frames a second (default: 5, birds 10)
  --port P      of the page (default: 8080, or the next that is free)
  --domain N    ROS_DOMAIN_ID (default: the environment's, or one that nobody uses here)
Logs are in build/demo/logs. Exit code: 0 fine, 1 something failed, 2 wrong usage.
END
}

say() { echo "demo.sh: $*" >&2; }
wrong_usage() {
  say "$* (see scripts/demo.sh --help)"
  exit 2
}

seconds='' json='' train='' model='' rate='' port=8080 domain=${ROS_DOMAIN_ID:-}
birds='' teach=Regular-Tomato teach_after=20
while (($#)); do
  case $1 in
    --help | -h) usage && exit 0 ;;
    --json) json=1 ;;
    --birds) birds=1 ;;
    --train) train=1 birds=1 ;;
    --seconds | --model | --rate | --port | --domain | --teach | --teach-after)
      (($# > 1)) || wrong_usage "$1 needs a value"
      name=${1#--}
      printf -v "${name//-/_}" %s "$2"
      shift
      ;;
    *) wrong_usage "unknown option $1" ;;
  esac
  shift
done
is_number() { [[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]]; }
is_whole() { [[ $1 =~ ^[0-9]{1,5}$ ]]; }
[[ -z $seconds ]] || is_number "$seconds" || wrong_usage "--seconds is $seconds, expected a number"
rate=${rate:-$([[ -n $birds ]] && echo 10 || echo 5)}
is_number "$teach_after" || wrong_usage "--teach-after is $teach_after, expected a number"
[[ -z $teach || -d config/groceries/unseen/$teach ]] ||
  wrong_usage "--teach is $teach, expected one of $(echo config/groceries/unseen/* | sed 's|[^ ]*/||g')"
is_number "$rate" || wrong_usage "--rate is $rate, expected a number"
{ is_whole "$port" && ((10#$port >= 1 && 10#$port <= 65535)); } ||
  wrong_usage "--port is $port, expected 1 to 65535"
[[ -z $domain ]] || { is_whole "$domain" && ((10#$domain <= 232)); } ||
  wrong_usage "the domain is $domain, expected 0 to 232"
[[ -z $train || -z $model ]] || wrong_usage "--train makes the model that --model would name"
[[ -z $model || $model == /* ]] || model=$called_from/$model

# Only the summary or the table belongs on standard output.
exec 3>&1 1>&2

# Children run in sessions of their own, so that each can be ended with all that it started, and
# Ctrl-C reaches this script alone. They end with it even if it is killed.
declare -A name_of=()
started=''
start() { # NAME COMMAND...
  local name=$1
  shift
  setsid setpriv --pdeathsig TERM -- "$@" &
  started=$!
  name_of[$started]=$name
}
running() {
  local pid
  for pid in "${!name_of[@]}"; do
    kill -0 -- "-$pid" 2>/dev/null && return 0
  done
  return 1
}
end_all() {
  trap '' INT TERM HUP
  local pid i
  for pid in "${!name_of[@]}"; do
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
  done
  for ((i = 0; i < 50; ++i)); do
    running || break
    sleep 0.1
  done
  for pid in "${!name_of[@]}"; do
    kill -KILL -- "-$pid" 2>/dev/null || true
  done
  wait 2>/dev/null || true
}
trap end_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# A command newer than the list of packages was built with all of them; asking dpkg takes longer
# than starting.
readonly mgproto=$root/build/mgproto prepared=build/demo/prepared
if [[ -x $mgproto && ($mgproto -nt scripts/setup.sh || $prepared -nt scripts/setup.sh) ]]; then
  cmake --build build --target mgproto --parallel "$(nproc)"
else
  scripts/setup.sh
  scripts/build.sh --target mgproto
  mkdir -p build/demo
  touch "$prepared"
fi

train_model() {
  local training=$root/build/demo/training
  model=$training/run/final.safetensors
  [[ ! -f $model ]] || return 0
  say "training takes about 10 minutes on two cores; after Ctrl-C the next --train goes on"
  mkdir -p "$training"
  (
    cd "$training"
    if [[ ! -d data ]]; then
      rm -rf data.part
      "$mgproto" dataset birds --out data.part --per-class 600 --seed 1
      mv data.part data
    fi
    if [[ -f run/snapshot.safetensors ]]; then
      "$mgproto" train --resume run
    else
      rm -rf run
      "$mgproto" train --config "$root/config/training/birds_demo.yaml" --out run
    fi
  )
}
[[ -z $train ]] || train_model
model=${model:-config/models/$([[ -n $birds ]] && echo birds_demo || echo groceries).safetensors}
if [[ ! -f $model ]]; then
  say "$model: there is no such model"
  exit 1
fi

# FILE... lists sockets like /proc/net/tcp does.
socket_on_port() { # PORT STATE FILE...
  local pattern
  pattern=$(printf '^ *[0-9]+: [0-9A-F]+:%04X [0-9A-F]+:[0-9A-F]+ %s ' "$1" "$2")
  grep -qE "$pattern" "${@:3}" 2>/dev/null
}
port=$((10#$port))
while socket_on_port "$port" 0A /proc/net/tcp /proc/net/tcp6; do
  ((++port <= 65535)) || wrong_usage "no port is free from the one asked for"
done
# A participant of a domain listens for others on the UDP port 7400 + 250 * domain. A domain of its
# own keeps the demo apart from a robot's.
if [[ -z $domain ]]; then
  domain=$((RANDOM % 50 + 50))
  for ((i = 0; i < 50; ++i)); do
    socket_on_port $((7400 + 250 * domain)) '[0-9A-F]{2}' /proc/net/udp /proc/net/udp6 || break
    domain=$(((domain + 1 - 50) % 50 + 50))
  done
fi
export ROS_DOMAIN_ID=$((10#$domain))

readonly logs=build/demo/logs/domain_$ROS_DOMAIN_ID url=http://localhost:$port
readonly truth=$logs/truth.jsonl
mkdir -p "$logs"
rm -f "$truth" "$logs"/*.log
say "ROS_DOMAIN_ID=$ROS_DOMAIN_ID, page $url, logs in $logs"

# shellcheck disable=SC2088  # the tilde is ROS's, not the shell's
node_arguments=(-p "model:=$model" -r '~/input/image:=/camera/image_raw')
# Near strangers are hard: a robot that would rather ask once too often accepts fewer known ones.
[[ -n $birds ]] || node_arguments+=(-p ood.tpr:=0.85)
if [[ -n ${ROS_DISTRO:-} ]] && ros2 pkg prefix mgproto_ros >/dev/null 2>&1; then
  start node ros2 run mgproto_ros perception_node --ros-args -r __node:=mgproto \
    --params-file config/perception.yaml "${node_arguments[@]}" >"$logs/node.log" 2>&1
else
  start node "$mgproto" node --params config/perception.yaml "${node_arguments[@]}" \
    >"$logs/node.log" 2>&1
fi
node=$started
start dashboard "$mgproto" dashboard --port "$port" >"$logs/dashboard.log" 2>&1
start watch "$mgproto" watch --truth "$truth" --dashboard-url "$url" \
  ${seconds:+--seconds "$seconds"} ${json:+--json} >&3
watch=$started
trap 'kill -TERM "$watch" 2>/dev/null || true' INT TERM HUP # whose end is the end of all

# Frames that come before the node is ready would count as not answered.
for ((i = 0; i < 200; ++i)); do
  if grep -q 'ready' "$logs/node.log" || ! kill -0 "$node" 2>/dev/null; then
    break
  fi
  sleep 0.05
done
images=(birds)
if [[ -z $birds ]]; then
  # One photograph of each product, and all of the one that will be taught, each for a second.
  shown=$logs/shown
  rm -rf "$shown"
  for product in config/groceries/{test,unseen}/*; do
    mkdir -p "$shown/${product#config/groceries/}"
    photographs=("$product"/*)
    [[ ${product##*/} == "$teach" ]] || photographs=("${photographs[0]}")
    cp "${photographs[@]}" "$shown/${product#config/groceries/}"
  done
  hold=$(awk -v rate="$rate" 'BEGIN { print rate < 2 ? 1 : int(rate * 0.8) }')
  images=("$shown" --hold "$hold" --shuffle --loop)
fi
start player "$mgproto" play "${images[@]}" --topic /camera/image_raw --rate "$rate" --log "$truth" \
  --wait >"$logs/player.log" 2>&1
teacher=''
if [[ -z $birds && -n $teach ]]; then
  teach_later() {
    sleep "$teach_after"
    exec "$mgproto" tell --name "$teach" --truth "$truth" --at-least 3 --wait 1000000
  }
  export -f teach_later
  export mgproto teach teach_after truth
  start teacher bash -c teach_later >"$logs/teacher.log" 2>&1
  teacher=$started
fi

while true; do
  code=0
  wait -n -p ended "${!name_of[@]}" || code=$?
  if [[ ${ended:-} == "$watch" ]]; then
    exit "$code"
  elif [[ -n ${ended:-} && $ended == "$teacher" && $code == 0 ]]; then
    unset "name_of[$teacher]"
    [[ -t 2 ]] || say "$(tail -n 1 "$logs/teacher.log")"
  elif [[ -n ${ended:-} ]]; then # otherwise it was a signal, and the end of watch follows
    name=${name_of[$ended]}
    say "the $name ended with code $code; $logs/$name.log ends:"
    tail -n 15 "$logs/$name.log" >&2
    exit 1
  fi
done

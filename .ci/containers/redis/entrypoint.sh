#!/bin/sh
# Listens on every address of its network, as the original does.
[ "$1" = redis-server ] && exec "$@" --bind '* -::*' --protected-mode no
exec "$@"

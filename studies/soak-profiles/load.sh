#!/bin/sh
# Works the server on port $1: 20,000 operations at the beginning of each second, with keys of
# 600 bytes that are gone after three seconds. So memory is freed as fast as it is taken, and a
# setting that is slower has no less to hold. A line for each: operations, then redis-benchmark's
# figures.
port=$1
# redis-benchmark hangs where nobody listens.
until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
value=$(head -c 600 /dev/zero | tr '\0' x)
while
    sleep 1 &
    redis-benchmark -p "$port" -n 20000 -r 200000 -c 20 -P 4 --csv \
        SET key:__rand_int__ "$value" EX 3 | sed -n 's/^"SET [^"]*"/20000/p'
do wait; done

# A shell's own work, each part a group of lines in its output: what a tracer could disturb.
# Everything it prints is the same in each run; `$$` and process numbers are not printed.
exec 2>/dev/null # Shells name processes by their numbers there.
part() { echo "== $1"; }

part "exit codes"
for code in 0 1 7 126 255; do (exit $code); echo "$code gives $?"; done
false || echo "false is false"
! true && echo no
/nonexistent/program; echo "not found: $?"
sh -c 'exit 3'; echo "a child: $?"
sh -c 'kill -KILL $$'; echo "killed: $?"
sh -c 'kill -SEGV $$'; echo "segfault: $?"

part "pipes"
printf 'c\na\nb\n' | sort | tr a-c x-z | { read one; read two; echo "$one $two"; }
yes | head -n 3
seq 20000 | head -n 1 >/dev/null; echo "broken pipe: $?"
echo "$(echo $(echo $(echo deep)))"
(echo out; echo err >&2) 2>&1 | sort
for i in 1 2 3 4 5 6 7 8; do echo $i & done | sort -n
seq 3000 | xargs -n 500 echo | wc -l

part "here-documents and files"
cat <<END
$(echo here) \$not
END
cat <<'END'
$(as it is)
END
echo line >file; echo more >>file; wc -l <file
exec 3<file; read first <&3; read second <&3; echo "$first $second"; exec 3<&-

part "traps"
trap 'echo usr1' USR1; kill -USR1 $$; trap - USR1
(trap 'echo leaves' EXIT; exit 4); echo "after: $?"
sh -c 'trap "" TERM; kill -TERM $$; sh -c "kill -TERM \$PPID"; echo ignored'
trap 'echo child' CHLD; true & wait; trap - CHLD
sh -c 'trap "echo term; exit 9" TERM; kill -TERM $$; echo never'; echo "code: $?"

part "jobs"
sleep 0.01 & first=$!
sleep 0.02 & second=$!
wait $second; echo "second: $?"
wait $first; echo "first: $?"
(sleep 30) & kill $!; wait $!; echo "ended: $?"
# Stopped and continued while somebody waits: /proc calls a traced one's state another.
sh -c 'kill -STOP $$; exit 6' & stopped=$!
while kill -CONT $stopped; do sleep 0.01; done &
wait $stopped; echo "continued: $?"
set -m; (exit 8) & wait $!; echo "own group: $?"; set +m

part "replacement and limits"
(exec sh -c 'echo replaced; exit 2'); echo "$?"
(ulimit -n 20; ulimit -n)
(ulimit -f 1; trap - XFSZ; exec head -c 100000 /dev/zero >large); echo "too large: $?"
(cd / && pwd); PATH=/nowhere; command -v sort || echo "no sort"

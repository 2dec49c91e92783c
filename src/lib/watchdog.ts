import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { MARKER_VARIABLE } from './process-tree.ts';

/**
 * Outlives us by a moment: it reads `+ marker`, `= marker pgid` and `- marker` from a pipe, and when the pipe closes,
 * which kill -9 cannot prevent, it kills every group and every marked process that was not taken back.
 * Plain POSIX sh, because it must start in about 2 ms and cost no memory; without /proc it knows groups only.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
list=' '
forget() {
  case $list in
    *" $1:"*) rest=\${list#*" $1:"}; list="\${list%%" $1:"*} \${rest#* }" ;;
  esac
}
while read -r sign marker pgid; do
  forget "$marker"
  [ "$sign" = - ] || list="$list$marker:\${pgid:-0} "
done
[ "$list" = ' ' ] && exit 0
wanted=
for entry in $list; do
  [ "\${entry##*:}" -gt 1 ] && kill -s KILL -- "-\${entry##*:}"
  wanted="$wanted\${wanted:+
}${MARKER_VARIABLE}=\${entry%:*}"
done
[ -r /proc/self/environ ] || exit 0
zero=no
printf 'a\\0b\\0' | grep -qzxF b && zero=yes
marked() {
  if [ $zero = yes ]; then
    grep -lzxF -e "$wanted" /proc/[0-9]*/environ
  else
    for file in /proc/[0-9]*/environ; do
      tr '\\0' '\\n' <"$file" | grep -qxF -e "$wanted" && echo "$file"
    done
  fi
}
sweeps=0
calm=0
while [ $calm -lt 3 ] && [ $sweeps -lt 200 ]; do
  found=$(marked)
  calm=$((calm + 1))
  for file in $found; do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}" && calm=0
  done
  sweeps=$((sweeps + 1))
done
`;

/** Groups that must not outlive this process, by marker; 0 while the process is being started. */
const guarded = new Map<string, number>();
/** One per process by nature: it stands for the life of this process, not for a thing in it. */
let watchdog: ChildProcess | null = null;

/** Says that a process with this marker is about to be started; from now on it cannot outlive us. */
export function guardMarker(marker: string): void {
  if (guarded.has(marker)) throw new Error(`a process with the marker ${marker} is running already`);
  guarded.set(marker, 0);
  if (watchdog === null) startWatchdog();
  else tell(`+ ${marker}`);
}

/** Says which process group the marker belongs to. */
export function guardGroup(marker: string, pgid: number): void {
  guarded.set(marker, pgid);
  tell(`= ${marker} ${pgid}`);
}

/** Says that everything with this marker is gone. */
export function releaseMarker(marker: string): void {
  guarded.delete(marker);
  tell(`- ${marker}`);
}

function startWatchdog(): void {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    // Nothing of ours: a marker of a Volley around us would let it die before its work is done.
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = (): void => {
    if (watchdog === child) watchdog = null;
  };
  child.once('exit', gone).once('error', gone);
  // A pipe to a watchdog that somebody killed; the next session starts another one.
  child.stdin.on('error', gone);
  child.unref();
  unrefPipe(child.stdin);
  watchdog = child;
  for (const [marker, pgid] of guarded) tell(`= ${marker} ${pgid}`);
}

function unrefPipe(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}

function tell(line: string): void {
  watchdog?.stdin?.write(`${line}\n`);
}

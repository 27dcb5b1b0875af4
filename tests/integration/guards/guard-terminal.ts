import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** Each line on its input is a key that is pressed there, and read by what runs in the terminal. */
const program = `
import os, pty, select, sys
screen, terminal = pty.openpty()
print(os.ttyname(terminal), flush=True)
for line in sys.stdin:
    os.write(screen, b"k\\n")
    os.read(terminal, 100)
    shown = b""
    while select.select([screen], [], [], 0.1)[0]: shown += os.read(screen, 4096)
    print(shown.decode().replace("\\n", " "), flush=True)
`

/** Opens a terminal of the system, and shows it in an instance's folder of terminals. */
export async function openTerminal(folder: string) {
  const child = spawn('/usr/bin/python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => String((await lines.next()).value)
  const device = await next()
  const shownAs = join(folder, basename(device))
  await symlink(device, shownAs)
  let shown = ''
  return {
    press: async () => {
      child.stdin.write('\n')
      shown += await next()
    },
    /** What was written there, as far as keys were pressed. */
    shown: () => shown,
    close: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await rm(shownAs)
    },
  }
}

import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { plainShell, sessionName, shellFolder, type ShellWish } from '#domain/terminals/shell-wish.ts'
import { shellCommand } from '#services/terminals/shell-command.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Instances run Linux, whose shell and programs these are.
const onLinux = test.runIf(process.platform === 'linux')

/** A machine's programs: each writes down how it was called, then does what its script says. */
async function machine(programs: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const calls = join(folder, 'calls')
  for (const [name, script] of Object.entries({ 'login-shell': '', ...programs })) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n${script}\nexit 0\n`)
    await chmod(join(folder, name), 0o755)
  }
  for (const name of ['sh', 'sed', 'head', 'sleep']) await symlink(`/usr/bin/${name}`, join(folder, name))
  return {
    folder,
    run: async (wish: ShellWish, place: string | null = null) => {
      const env = { PATH: folder, SHELL: join(folder, 'login-shell') }
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', shellCommand(wish, place) ?? ''], {
        env,
      })
      return { calls: (await readFile(calls, 'utf8')).trim().split('\n'), printed: stdout }
    },
  }
}

test('a plain shell needs no command', () => {
  expect(shellCommand(plainShell, null)).toBeNull()
})

onLinux('tmux attaches to the session, or makes it', async () => {
  const { run } = await machine({ tmux: '' })
  const { calls, printed } = await run({ kind: 'tmux', session: 'train-1' })
  expect(calls).toEqual(['tmux has-session -t =train-1', 'tmux -u new-session -A -s train-1'])
  expect(printed).toBe('')
})

onLinux('before a session that is made it is told that it is', async () => {
  const { run } = await machine({
    tmux: '[ "$1" = has-session ] && exit 1; echo shown',
    screen: '[ "$1" = -ls ] || echo shown',
  })
  for (const kind of ['tmux', 'screen'] as const)
    expect((await run({ kind, session: 'train' })).printed).toBe('\x1b]7711;\x07shown\n')
})

onLinux('without the program there is a login shell, which says so', async () => {
  const { run } = await machine({})
  const { calls, printed } = await run({ kind: 'tmux', session: 'train' })
  expect(calls).toEqual(['login-shell -l'])
  expect(printed).toBe(
    '\x1b]7710;\x07\x1b[33mtmux is not installed on this instance. This is a plain shell, which ends with its connection.\x1b[0m\r\n',
  )
})

onLinux('screen takes the session of the whole name, and no other that begins like it', async () => {
  const { run } = await machine({
    screen: String.raw`[ "$1" = -ls ] && printf '\t12.train-10\t(Detached)\n\t7.train-1\t(Attached)\n'`,
  })
  const { calls, printed } = await run({ kind: 'screen', session: 'train-1' })
  expect(calls).toEqual(['screen -ls', 'screen -U -D -r 7.train-1'])
  expect(printed).toBe('')
})

onLinux('screen makes a session that is not there', async () => {
  const { run } = await machine({
    screen: String.raw`[ "$1" = -ls ] && printf '\t12.train-10\t(Detached)\n'`,
  })
  const { calls } = await run({ kind: 'screen', session: 'train-1' })
  expect(calls).toEqual(['screen -ls', 'screen -U -S train-1'])
})

test.each(['', '-d', 'a b', "a'b", 'a;b', '$(a)', 'a.b', 'a:b', 'ä', 'x'.repeat(41)])(
  'a session is not called %j',
  (name) => {
    expect(sessionName.safeParse(name).success).toBe(false)
  },
)

onLinux('a shell begins in the folder that is wanted, whatever that is called', async () => {
  const { run, folder } = await machine({ 'login-shell': 'pwd', tmux: 'pwd' })
  const place = join(folder, '-odd name; $(date) "x" `y` & *')
  await mkdir(place)
  expect(shellFolder.parse(place)).toBe(place)
  expect(await run(plainShell, place)).toEqual({ calls: ['login-shell -l'], printed: `${place}\n` })
  expect((await run({ kind: 'tmux', session: 'train' }, place)).printed).toBe(`${place}\n${place}\n`)
})

onLinux('a shell whose folder is gone begins at home all the same', async () => {
  const { run } = await machine({})
  expect((await run(plainShell, '/not/there')).calls).toEqual(['login-shell -l'])
})

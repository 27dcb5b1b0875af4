import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { preferences, type Preferences } from '#domain/settings/settings.ts'
import { emptyDesk, type TerminalDesk } from '#domain/terminals/terminal-desk.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { KeptScreens } from '#services/terminals/kept-screens.ts'
import { TerminalDesks, terminalDesksFile } from '#services/terminals/terminal-desks.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { expectMode } from '../../support/file-mode.ts'

const keepScreens = (on: boolean): Preferences => {
  const all = preferences.parse({})
  return { ...all, terminals: { ...all.terminals, keepScreens: on } }
}
const screen = { cols: 80, rows: 24, text: 'hello' }

function deskOf(...keys: readonly string[]): TerminalDesk {
  return {
    ...emptyDesk,
    terminals: keys.map((key) => ({
      key,
      instanceId: 7,
      name: null,
      title: 'root',
      wish: { kind: 'plain' } as const,
      isSessionMissing: false,
      folder: '/root/data',
    })),
    active: keys[0] ?? null,
  }
}

async function open(folder: string, settings = new Latest(keepScreens(true))) {
  const log = memoryLog()
  const file = await openJsonFile({
    path: join(folder, 'terminals.json'),
    ...terminalDesksFile,
    clock: new FakeClock(),
    onNotice: () => undefined,
  })
  const screens = join(folder, 'scrollback')
  const desks = new TerminalDesks({
    file,
    screens: new KeptScreens({ folder: screens, log }),
    preferences: settings,
    log,
  })
  return { desks, settings, screens, files: () => readdir(screens) }
}

test('desk and screens are there at the next start', async () => {
  const folder = await temporaryFolder()
  const { desks } = await open(folder)
  expect(desks.read()).toEqual(emptyDesk)
  await desks.keep(deskOf('a'))
  await desks.keepScreen('a', screen)
  const { desks: next } = await open(folder)
  expect(next.read()).toEqual(deskOf('a'))
  expect(await next.readScreen('a')).toEqual(screen)
  expect(await next.readScreen('b')).toBeNull()
})

test('what a terminal showed goes with it, and does not come back late', async () => {
  const { desks, files } = await open(await temporaryFolder())
  await desks.keep(deskOf('a', 'b'))
  await desks.keepScreen('a', screen)
  await desks.keepScreen('b', screen)
  await desks.keep(deskOf('b'))
  await desks.keepScreen('a', screen)
  expect(await files()).toEqual(['b.json'])
})

test('only the user can read it', async () => {
  const { desks, screens } = await open(await temporaryFolder())
  await desks.keep(deskOf('a'))
  await desks.keepScreen('a', screen)
  await expectMode(join(screens, 'a.json'), 0o600)
  await expectMode(screens, 0o700)
})

test('switched off, all that was kept is deleted and nothing is kept', async () => {
  const { desks, settings, files } = await open(await temporaryFolder())
  const end = new AbortController()
  const following = desks.follow(end.signal)
  await desks.keep(deskOf('a'))
  await desks.keepScreen('a', screen)
  settings.set(keepScreens(false))
  await waitFor(async () => expect(await files()).toEqual([]))
  await desks.keepScreen('a', screen)
  expect(await files()).toEqual([])
  end.abort()
  await following
})

test('what terminals of a newer Slipway showed stays, for only that one can tell whose it is', async () => {
  const folder = await temporaryFolder()
  const { desks, files } = await open(folder)
  await desks.keep(deskOf('a'))
  await desks.keepScreen('a', screen)
  await writeFile(join(folder, 'terminals.json'), '{"version":99,"data":{}}')
  const { desks: next } = await open(folder)
  const end = new AbortController()
  const following = next.follow(end.signal)
  await next.keep(deskOf('b'))
  await next.keepScreen('b', screen)
  expect(next.read()).toEqual(deskOf('b'))
  end.abort()
  await following
  expect(await next.readScreen('a')).toBeNull()
  expect(await files()).toEqual(['a.json'])
})

test('what was to be kept when the program ended is on the disk', async () => {
  const folder = await temporaryFolder()
  const { desks } = await open(folder)
  const end = new AbortController()
  const following = desks.follow(end.signal)
  const keeping = desks.keep(deskOf('a'))
  end.abort()
  await following
  expect((await open(folder)).desks.read()).toEqual(deskOf('a'))
  await keeping
})

test('a file that was changed to nonsense is as good as none', async () => {
  const { desks, screens } = await open(await temporaryFolder())
  await desks.keep(deskOf('a'))
  await desks.keepScreen('a', screen)
  await writeFile(join(screens, 'a.json'), '{"cols":-1')
  expect(await desks.readScreen('a')).toBeNull()
})

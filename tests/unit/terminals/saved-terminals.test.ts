import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { preferences, type Preferences } from '#domain/settings/settings.ts'
import {
  defaultStart,
  emptyArrangement,
  type TerminalArrangement,
} from '#domain/terminals/saved-terminals.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { ScrollbackFiles } from '#services/terminals/scrollback-files.ts'
import { SavedTerminals, savedTerminalsFile } from '#services/terminals/saved-terminals.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { expectMode } from '../../support/file-mode.ts'

const keepScreens = (on: boolean): Preferences => {
  const all = preferences.parse({})
  return { ...all, terminals: { ...all.terminals, keepScreens: on } }
}
const screen = { cols: 80, rows: 24, text: 'hello' }

function savedOf(...keys: readonly string[]): TerminalArrangement {
  return {
    ...emptyArrangement,
    terminals: keys.map((key) => ({
      key,
      instanceId: 7,
      name: null,
      title: 'root',
      wish: { kind: 'plain' } as const,
      isSessionMissing: false,
      folder: '/root/data',
      start: defaultStart,
    })),
    active: keys[0] ?? null,
  }
}

async function open(folder: string, settings = new Latest(keepScreens(true))) {
  const log = memoryLog()
  const file = await openJsonFile({
    path: join(folder, 'terminals.json'),
    ...savedTerminalsFile,
    clock: new FakeClock(),
    onNotice: () => undefined,
  })
  const screens = join(folder, 'scrollback')
  const saved = new SavedTerminals({
    file,
    screens: new ScrollbackFiles({ folder: screens, log }),
    preferences: settings,
    log,
  })
  return { saved, settings, screens, files: () => readdir(screens) }
}

test('arrangement and screens are there at the next start', async () => {
  const folder = await temporaryFolder()
  const { saved } = await open(folder)
  expect(saved.read()).toEqual(emptyArrangement)
  await saved.keep(savedOf('a'))
  await saved.keepScreen('a', screen)
  const { saved: next } = await open(folder)
  expect(next.read()).toEqual(savedOf('a'))
  expect(await next.readScreen('a')).toEqual(screen)
  expect(await next.readScreen('b')).toBeNull()
})

test('what a terminal showed goes with it, and does not come back late', async () => {
  const { saved, files } = await open(await temporaryFolder())
  await saved.keep(savedOf('a', 'b'))
  await saved.keepScreen('a', screen)
  await saved.keepScreen('b', screen)
  await saved.keep(savedOf('b'))
  await saved.keepScreen('a', screen)
  expect(await files()).toEqual(['b.json'])
})

test('only the user can read it', async () => {
  const { saved, screens } = await open(await temporaryFolder())
  await saved.keep(savedOf('a'))
  await saved.keepScreen('a', screen)
  await expectMode(join(screens, 'a.json'), 0o600)
  await expectMode(screens, 0o700)
})

test('switched off, all that was kept is deleted and nothing is kept', async () => {
  const { saved, settings, files } = await open(await temporaryFolder())
  const end = new AbortController()
  const following = saved.follow(end.signal)
  await saved.keep(savedOf('a'))
  await saved.keepScreen('a', screen)
  settings.set(keepScreens(false))
  await waitFor(async () => expect(await files()).toEqual([]))
  await saved.keepScreen('a', screen)
  expect(await files()).toEqual([])
  end.abort()
  await following
})

test('what terminals of a newer Slipway showed stays, for only that one can tell whose it is', async () => {
  const folder = await temporaryFolder()
  const { saved, files } = await open(folder)
  await saved.keep(savedOf('a'))
  await saved.keepScreen('a', screen)
  await writeFile(join(folder, 'terminals.json'), '{"version":99,"data":{}}')
  const { saved: next } = await open(folder)
  const end = new AbortController()
  const following = next.follow(end.signal)
  await next.keep(savedOf('b'))
  await next.keepScreen('b', screen)
  expect(next.read()).toEqual(savedOf('b'))
  end.abort()
  await following
  expect(await next.readScreen('a')).toBeNull()
  expect(await files()).toEqual(['a.json'])
})

test('what was to be kept when the program ended is on the disk', async () => {
  const folder = await temporaryFolder()
  const { saved } = await open(folder)
  const end = new AbortController()
  const following = saved.follow(end.signal)
  const keeping = saved.keep(savedOf('a'))
  end.abort()
  await following
  expect((await open(folder)).saved.read()).toEqual(savedOf('a'))
  await keeping
})

test('a file that was changed to nonsense is as good as none', async () => {
  const { saved, screens } = await open(await temporaryFolder())
  await saved.keep(savedOf('a'))
  await saved.keepScreen('a', screen)
  await writeFile(join(screens, 'a.json'), '{"cols":-1')
  expect(await saved.readScreen('a')).toBeNull()
})

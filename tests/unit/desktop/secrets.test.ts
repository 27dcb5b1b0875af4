import { BaseWindow } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { createSecretSurroundings, hideSecretsWhenAway } from '../../../src-main/desktop/secrets.ts'
import { SecretClipboard } from '../../../src-main/vault/secret-clipboard.ts'
import { SecretScreen } from '../../../src-main/vault/secret-screen.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

interface Desktop {
  written: Readonly<Record<string, string>>
  clipboard: string
  readonly power: Map<string, () => void>
}

/** What the desktop was asked for. */
const desktop = vi.hoisted((): Desktop => ({ written: {}, clipboard: '', power: new Map() }))
vi.mock('electron', () => ({
  BaseWindow: class {
    isDestroyed = () => false
    setContentProtection = () => undefined
  },
  ClipboardItem: class {
    readonly items: Readonly<Record<string, string>>
    constructor(items: Readonly<Record<string, string>>) {
      this.items = items
    }
  },
  clipboard: {
    write: ([item]: { readonly items: Readonly<Record<string, string>> }[]) => {
      desktop.written = item?.items ?? {}
      desktop.clipboard = desktop.written['text/plain'] ?? ''
      return Promise.resolve()
    },
    readText: () => Promise.resolve(desktop.clipboard),
    clear: () => (desktop.clipboard = ''),
  },
  dialog: {},
  powerMonitor: {
    getSystemIdleTime: () => 7,
    on: (event: string, listener: () => void) => desktop.power.set(event, listener),
  },
}))

beforeEach(() => {
  desktop.written = {}
  desktop.clipboard = ''
})

function surroundingsOn(platform: NodeJS.Platform, protection: boolean[] = []) {
  const window = new BaseWindow()
  vi.spyOn(window, 'setContentProtection').mockImplementation((isOn) => void protection.push(isOn))
  return createSecretSurroundings({ platform, window: () => window })
}

test.each([
  ['win32', 'ExcludeClipboardContentFromMonitorProcessing'],
  ['darwin', 'org.nspasteboard.ConcealedType'],
  ['linux', 'x-kde-passwordManagerHint'],
] as const)('on %s what is copied is marked as nothing for a history', async (platform, mark) => {
  await surroundingsOn(platform).clipboard.writeSecret('123456')
  expect(desktop.written['text/plain']).toBe('123456')
  expect(Object.keys(desktop.written).join()).toContain(`format="${mark}"`)
})

test.each(['win32', 'darwin'] as const)(
  'on %s the window is kept out of screenshots while a secret is shown, and not longer',
  (platform) => {
    const protection: boolean[] = []
    const { protectScreen: protect, idleMs } = surroundingsOn(platform, protection)
    const screen = new SecretScreen({ clock: new FakeClock(), protect, idleMs, hideAfterMs: () => 300_000 })
    expect(screen.state.value.canProtect).toBe(true)
    const release = screen.hold()
    expect(protection).toEqual([true])
    release()
    expect(protection).toEqual([true, false])
  },
)

test('Linux has no such thing, which the window is told', () => {
  expect(surroundingsOn('linux').protectScreen).toBeNull()
})

test('sleep and a locked screen hide secrets; idle time is in milliseconds', () => {
  const hidden: string[] = []
  hideSecretsWhenAway((by) => hidden.push(by))
  desktop.power.get('suspend')?.()
  desktop.power.get('lock-screen')?.()
  expect(hidden).toEqual(['suspend', 'screen-lock'])
  expect(surroundingsOn('linux').idleMs()).toBe(7_000)
})

test('what was copied is gone at the end of the program, and what the user copied since is not', async () => {
  const { clipboard } = surroundingsOn('win32')
  const secrets = new SecretClipboard({ clipboard, clock: new FakeClock(), log: memoryLog() })
  await secrets.copy('123456')
  await secrets.clear()
  expect(desktop.clipboard).toBe('')
  await secrets.copy('123456')
  desktop.clipboard = 'a recipe'
  await secrets.clear()
  expect(desktop.clipboard).toBe('a recipe')
})

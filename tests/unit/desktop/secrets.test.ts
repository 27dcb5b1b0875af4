import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseWindow } from 'electron'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSecretProtection, hideSecretsWhenAway } from '../../../src-main/desktop/secrets.ts'
import { SecretClipboard } from '#services/vault/secret-clipboard.ts'
import { SecretVisibility } from '#services/vault/secret-visibility.ts'
import { DoublePowerMonitor } from '../../electron-on-chromium/power-monitor.ts'
import { system } from '../../electron-on-chromium/system.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

interface Desktop {
  written: Readonly<Record<string, string>>
  clipboard: string
  power: DoublePowerMonitor | null
}

/** What the desktop was asked for. */
const desktop = vi.hoisted((): Desktop => ({ written: {}, clipboard: '', power: null }))
vi.mock('../../electron-on-chromium/app.ts', () => ({ app: { getPath: () => userData } }))
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
  get powerMonitor() {
    return desktop.power
  },
}))

const { platform } = system
const userData = mkdtempSync(join(tmpdir(), 'slipway-power-'))
let power = new DoublePowerMonitor()

beforeEach(() => {
  desktop.written = {}
  desktop.clipboard = ''
  power = new DoublePowerMonitor()
  desktop.power = power
})
afterEach(() => (system.platform = platform))
afterAll(() => rm(userData, { recursive: true, force: true }))

function protectionOn(platform: NodeJS.Platform, protection: boolean[] = []) {
  const window = new BaseWindow()
  vi.spyOn(window, 'setContentProtection').mockImplementation((isOn) => void protection.push(isOn))
  return createSecretProtection({ platform, window: () => window })
}

test.each([
  ['win32', 'ExcludeClipboardContentFromMonitorProcessing'],
  ['darwin', 'org.nspasteboard.ConcealedType'],
  ['linux', 'x-kde-passwordManagerHint'],
] as const)('on %s what is copied is marked as nothing for a history', async (platform, mark) => {
  await protectionOn(platform).clipboard.writeSecret('123456')
  expect(desktop.written['text/plain']).toBe('123456')
  expect(Object.keys(desktop.written).join()).toContain(`format="${mark}"`)
})

test.each(['win32', 'darwin'] as const)(
  'on %s the window is kept out of screenshots while a secret is shown, and not longer',
  (platform) => {
    const protection: boolean[] = []
    const { protectScreen: protect, idleMs, isLocked } = protectionOn(platform, protection)
    const screen = new SecretVisibility({
      clock: new FakeClock(),
      protect,
      idleMs,
      isLocked,
      hideAfterMs: () => 300_000,
    })
    expect(screen.state.value.canProtect).toBe(true)
    const release = screen.hold()
    expect(protection).toEqual([true])
    release()
    expect(protection).toEqual([true, false])
  },
)

test('Linux has no such thing, which the window is told', () => {
  expect(protectionOn('linux').protectScreen).toBeNull()
})

test.each(['win32', 'darwin'] as const)('%s tells of sleep and of a locked screen', (name) => {
  system.platform = name
  const hidden: string[] = []
  hideSecretsWhenAway((by) => hidden.push(by), name)
  power.tell('suspend')
  power.tell('lock-screen')
  expect(hidden).toEqual(['suspend', 'screen-lock'])
  power.tell('idle 7')
  expect(protectionOn(name).idleMs()).toBe(7_000)
  expect(protectionOn(name).isLocked()).toBe(false)
})

test('Linux tells of sleep only, so it is asked every 5 s whether the screen is locked', async () => {
  system.platform = 'linux'
  const { idleMs, isLocked } = protectionOn('linux')
  const clock = new FakeClock()
  const screen = new SecretVisibility({ clock, protect: null, idleMs, isLocked, hideAfterMs: () => 300_000 })
  hideSecretsWhenAway((by) => screen.hide(by), 'linux')
  const end = new AbortController()
  const following = screen.follow(end.signal)
  power.tell('lock-screen')
  await clock.advance(5_000)
  expect(screen.state.value.hiddenBy).toBe('screen-lock')
  power.tell('unlock-screen')
  screen.show()
  await clock.advance(60_000)
  expect(screen.state.value.hiddenBy).toBeNull()
  power.tell('suspend')
  expect(screen.state.value.hiddenBy).toBe('suspend')
  end.abort()
  await following
})

test('what was copied is gone at the end of the program, and what the user copied since is not', async () => {
  const { clipboard } = protectionOn('win32')
  const secrets = new SecretClipboard({ clipboard, clock: new FakeClock(), log: memoryLog() })
  await secrets.copy('123456')
  await secrets.clear()
  expect(desktop.clipboard).toBe('')
  await secrets.copy('123456')
  desktop.clipboard = 'a recipe'
  await secrets.clear()
  expect(desktop.clipboard).toBe('a recipe')
})

import { expect, test } from 'vitest'
import { preferences, type Preferences } from '#domain/settings/settings.ts'
import { settingsOffDefault } from '../../../../src-renderer/features/settings/setting-defaults.ts'
import { hasWords } from '#ui/has-words.ts'

const first = preferences.parse({})
const sections = [
  'appearance',
  'terminals',
  'notifications',
  'secrets',
  'ssh-login',
  'start',
  'instances',
  'updates',
] as const
const changesOf = (now: Preferences) => sections.flatMap((section) => settingsOffDefault(section, now))

test('at the first start nothing is changed', () => {
  expect(changesOf(first)).toEqual([])
})

test('a changed value names its default, and goes back alone', () => {
  const now: Preferences = {
    ...first,
    theme: 'dark',
    sshUser: 'ubuntu',
    terminals: { ...first.terminals, fontSize: 20, cursor: 'bar' },
  }
  expect(changesOf(now).map(({ name, normally }) => `${name}: ${normally}`)).toEqual([
    'Theme: System',
    'Font size: 13 px',
    'Cursor: block',
    'SSH user: root',
  ])
  const [size] = settingsOffDefault('terminals', now)
  expect(size?.back).toEqual({ terminals: { ...now.terminals, fontSize: 13 } })
})

test('every value that a user sets on the page has a way back', () => {
  const now: Preferences = {
    ...first,
    theme: 'light',
    motion: 'reduced',
    sshUser: 'kim',
    jumpHosts: 'gate',
    readSshConfig: false,
    hideSecretsAfterMinutes: 9,
    looksForUpdates: true,
    getsPrereleases: true,
    restingPauseSeconds: 60,
    stopsNewWhenIdle: true,
    newIdleMinutes: 30,
    restorePage: false,
    tray: false,
    keepInTray: true,
    terminals: {
      fontFamily: 'Mono',
      fontSize: 20,
      cursor: 'bar',
      scrollbackLines: 7,
      keepScreens: false,
      connectAtStart: true,
      sendLocale: false,
      offersPorts: false,
      newShell: 'tmux',
    },
    notifications: {
      running: false,
      trouble: false,
      guard: false,
      credit: false,
      unattended: false,
      gpuIdle: false,
      diskFull: false,
      gpuMemoryFull: false,
      gpuHot: false,
      gpuGone: false,
      machine: false,
      offers: false,
      done: false,
      creditHours: 1,
      unattendedHours: 1,
      idleGpuMinutes: 1,
    },
  }
  const back = changesOf(now).reduce<Preferences>((all, _, index) => {
    const next = changesOf(all)[0]
    expect(next, String(index)).toBeDefined()
    return { ...all, ...preferences.parse({ ...all, ...next?.back }) }
  }, now)
  expect(back).toEqual(first)
})

test('what is typed is found in any order and case', () => {
  expect(hasWords('Font size (px)', 'size FONT')).toBe(true)
  expect(hasWords('Font size (px)', 'size cursor')).toBe(false)
  expect(hasWords('anything', '')).toBe(true)
})

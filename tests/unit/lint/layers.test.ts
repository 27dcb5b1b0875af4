import { describe, expect, it } from 'vitest'
import { complaints } from '../../support/complaints.ts'

interface Row {
  readonly file: string
  /** A line that breaks the row, and what the message must say. */
  readonly planted: string
  readonly says: readonly string[]
  /** A line that keeps to it. */
  readonly allowed: string
}

const vue = (script: string): string =>
  `<script setup lang="ts">\n${script}\n</script>\n<template><p /></template>\n`

const rows: readonly Row[] = [
  {
    file: 'src-main/domain/planted.ts',
    planted: `import { oc } from '@orpc/contract'`,
    says: [
      'domain may not import',
      'oRPC is known in contract/',
      'Allowed here: its own files, zod. It holds pure rules',
    ],
    allowed: `import { z } from 'zod'`,
  },
  {
    file: 'src-main/domain/planted.ts',
    planted: `import { readFile } from 'node:fs/promises'`,
    says: ['No Node here', 'belongs in a service'],
    allowed: `import { assertNever } from './base/assert-never.ts'`,
  },
  {
    file: 'src-main/contract/planted.ts',
    planted: `import { createRentalHttp } from '../services/rental-api/http.ts'`,
    says: ['src-main/services/rental-api/http.ts is in services/rental-api', 'domain/, zod, @orpc/contract'],
    allowed: `import { oc } from '@orpc/contract'`,
  },
  {
    file: 'src-main/services/storage/planted.ts',
    planted: `import { app } from 'electron'`,
    says: ['Only desktop/, index.ts and preload.ts know Electron', 'write-file-atomic'],
    allowed: `import writeFileAtomic from 'write-file-atomic'`,
  },
  {
    file: 'src-main/services/storage/planted.ts',
    planted: `import { createRentalHttp } from '../rental-api/http.ts'`,
    says: ['src-main/services/rental-api/http.ts is in services/rental-api', 'Take what else you need'],
    allowed: `import { Latest } from '../../domain/base/latest.ts'`,
  },
  {
    file: 'src-main/services/rental-api/planted.ts',
    planted: `import type { contract } from '../../contract/contract.ts'`,
    says: ['contract.ts is in contract', 'p-retry', 'app/ puts the services together'],
    allowed: `import retry from 'p-retry'`,
  },
  ...[
    ['accounts', `import { InstanceWatch } from '../instances/watch.ts'`, `import { join } from 'node:path'`],
    [
      'offers',
      `import { readFile } from 'node:fs/promises'`,
      `import { openJsonFile } from '../storage/json-file.ts'`,
    ],
    [
      'instances',
      `import type { Shell } from '../terminals/shell.ts'`,
      `import { createRentalHttp } from '../rental-api/http.ts'`,
    ],
    [
      'renting',
      `import { openVault } from '../vault/vault.ts'`,
      `import { InstanceWatch } from '../instances/watch.ts'`,
    ],
    [
      'guards',
      `import { Renting } from '../renting/renting.ts'`,
      `import { InstanceWatch } from '../instances/watch.ts'`,
    ],
    ['notifications', `import { InstanceWatch } from '../instances/watch.ts'`, `import { z } from 'zod'`],
    ['ssh', `import keytar from 'keytar'`, `import { Client } from 'ssh2'`],
    ['terminals', `import { Client } from 'ssh2'`, `import type { Client } from 'ssh2'`],
    ['files', `import { Shell } from '../terminals/shell.ts'`, `import ignore from 'ignore'`],
    [
      'forwards',
      `import ignore from 'ignore'`,
      `import { Connections } from '../ssh/connection/connections.ts'`,
    ],
    ['runs', `import { Client } from 'ssh2'`, `import type { Client } from 'ssh2'`],
    ['jobs', `import { Retries } from '../renting/retries.ts'`, `import '../files/failure.ts'`],
    ['templates', `import { openOfferLists } from '../offers/offer-lists.ts'`, `import { z } from 'zod'`],
    ['cloud', `import retry from 'p-retry'`, `import { sendOnce } from '../rental-api/send-once.ts'`],
    ['vault', `import { Client } from 'ssh2'`, `import keytar from 'keytar'`],
    [
      'two-factor',
      `import { InstanceWatch } from '../instances/watch.ts'`,
      `import { openVault } from '../vault/vault.ts'`,
    ],
    ['settings', `import keytar from 'keytar'`, `import { readFile } from 'node:fs/promises'`],
    [
      'updates',
      `import { AppImageUpdater } from 'electron-updater'`,
      `import { createHash } from 'node:crypto'`,
    ],
    [
      'diagnostics',
      `import writeFileAtomic from 'write-file-atomic'`,
      `import { readFile } from 'node:fs/promises'`,
    ],
    ['spending', `import keytar from 'keytar'`, `import { ticks } from '../instances/ticks.ts'`],
    ['last-seen', `import { join } from 'node:path'`, `import { z } from 'zod'`],
    ['workbench', `import { join } from 'node:path'`, `import { z } from 'zod'`],
  ].map(([area = '', planted = '', allowed = '']) => ({
    file: `src-main/services/${area}/planted.ts`,
    planted,
    says: [`services/${area} may not import`, 'Take what else you need as an argument'],
    allowed,
  })),
  {
    file: 'src-main/ipc/planted.ts',
    planted: `import { openWindow } from '../desktop/window.ts'`,
    says: ['src-main/desktop/window.ts is in desktop', '@orpc/*', 'app/'],
    allowed: `import { implement } from '@orpc/server'`,
  },
  {
    file: 'src-main/desktop/planted.ts',
    planted: `import { createRentalHttp } from '../services/rental-api/http.ts'`,
    says: ['services/rental-api', 'src-main/ipc/message-port.ts', 'through app/ only'],
    allowed: `import { BrowserWindow } from 'electron'`,
  },
  {
    file: 'src-main/index.ts',
    planted: `import { createRouter } from './ipc/router.ts'`,
    says: ['index.ts may not import', 'what is composed belongs in app/'],
    allowed: `import { createApp } from './app/create-app.ts'`,
  },
  {
    file: 'src-main/preload.ts',
    planted: `import { z } from 'zod'`,
    says: [
      'preload.ts may not import',
      'src-main/contract/port-channel.ts, electron',
      'the paths of dropped files, and does nothing else',
    ],
    allowed: `import { portChannel } from './contract/port-channel.ts'`,
  },
  {
    file: 'src-main/app/planted.ts',
    planted: `import { net } from 'electron'`,
    says: ['app may not import', 'Only desktop/, index.ts', 'is an argument of createApp()'],
    allowed: `import { createRouter } from '../ipc/router.ts'`,
  },
  {
    file: 'src-renderer/ipc/planted.ts',
    planted: `import { readFile } from 'fs'`,
    says: ['The page has no Node', '#domain/, #contract/'],
    allowed: `import { createORPCClient } from '@orpc/client'`,
  },
  {
    file: 'src-renderer/ui/Planted.vue',
    planted: vue(`import OffersPage from '../features/offers/OffersPage.vue'`),
    says: ['src-renderer/features/offers/OffersPage.vue is in src-renderer/features', '#ipc/'],
    allowed: vue(`import { useClipboard } from '@vueuse/core'`),
  },
  {
    file: 'src-renderer/ui/planted.ts',
    planted: `import { useAccount } from '#shared/accounts/account-store.ts'`,
    says: ['is in src-renderer/shared', 'It knows no area'],
    allowed: `import { client } from '#ipc/client.ts'`,
  },
  {
    file: 'src-renderer/features/terminals/planted.ts',
    planted: `import type { TerminalMessage } from '#contract/terminal-port.ts'`,
    says: ['src-main/contract/terminal-port.ts is in contract', 'made through #ipc/'],
    allowed: `import type { TerminalMessage } from '#ipc/client.ts'`,
  },
  {
    file: 'src-renderer/shared/accounts/planted.ts',
    planted: `import { keyText } from '../../features/accounts/key-text.ts'`,
    says: ['src-renderer/features/accounts/key-text.ts is in src-renderer/features', 'knows none of them'],
    allowed: `import { formatMoney } from '#ui/format.ts'`,
  },
  {
    file: 'src-renderer/features/offers/planted.ts',
    planted: `export { rentDialog } from '../instances/rent-dialog.ts'`,
    says: ['A feature never imports another feature', 'ui/ (#ui/) or domain/ (#domain/)'],
    allowed: `import { formatMoney } from '#ui/format.ts'`,
  },
  {
    file: 'src-renderer/features/offers/OffersPage.vue',
    planted: vue(`import type { Offer } from '../../../src-main/domain/offers/offer.ts'`),
    says: ['The window reaches domain by its alias', `write '#domain/offers/offer.ts'`],
    allowed: vue(`import type { Offer } from '#domain/offers/offer.ts'`),
  },
  {
    file: 'src-renderer/features/offers/planted.ts',
    planted: `import { oc } from '@orpc/contract'`,
    says: ['oRPC is known in', 'made through #ipc/'],
    allowed: `import { client } from '#ipc/client.ts'`,
  },
  {
    file: 'src-renderer/main.ts',
    planted: `void import('../src-main/services/vault/vault.ts')`,
    says: ['src-main/services/vault/vault.ts is in services/vault', '#domain/, #shared/, #ui/, #ipc/'],
    allowed: `void import('./features/offers/routes.ts')`,
  },
  {
    file: 'src-renderer/router.ts',
    planted: `import { Client } from 'ssh2'`,
    says: ['SSH is spoken in services/ssh/ only', 'the packages of the window'],
    allowed: `import { createRouter } from 'vue-router'`,
  },
  {
    file: 'src-main/services/storage/planted.ts',
    planted: `import { fakeClock } from '../../../tests/support/fake-clock.ts'`,
    says: ['Nothing imports tests/'],
    allowed: `import { join } from 'node:path'`,
  },
  {
    file: 'electron.vite.config.ts',
    planted: `import { startSimulator } from './tests/simulator/main.ts'`,
    says: ['Nothing imports tests/'],
    allowed: `import { spawn } from 'node:child_process'`,
  },
]

describe('layers', () => {
  it.each(rows)('$file: $planted', async ({ file, planted, says, allowed }) => {
    const refused = await complaints(file, planted, 'slipway/layers')
    expect(refused).toHaveLength(1)
    for (const words of says) expect(refused[0]).toContain(words)
    expect(await complaints(file, allowed, 'slipway/layers')).toEqual([])
  })

  it('lets tests import what they test, and each other', async () => {
    const lines = `import { Client } from 'ssh2'\nimport { fakeClock } from '../support/fake-clock.ts'`
    expect(await complaints('tests/integration/planted.test.ts', lines, 'slipway/layers')).toEqual([])
  })

  it('refuses a folder that is in no layer', async () => {
    expect(await complaints('src-main/helpers/planted.ts', 'export {}', 'slipway/layers')).toEqual([
      expect.stringContaining('src-main/helpers/planted.ts is in no layer'),
    ])
  })

  it.each([
    [`import fs = require('node:fs')`, 'import = require'],
    [`const fs = require('node:fs')`, 'require'],
    [`export * from 'node:fs'`, 'export *'],
    [`type Stats = import('node:fs').Stats`, 'import type'],
    [`const fs = await import('node:fs')`, 'import()'],
  ])('sees %s', async (line) => {
    expect(await complaints('src-main/domain/planted.ts', line, 'slipway/layers')).toHaveLength(1)
  })
})

describe('what the layers take as arguments', () => {
  it.each([
    ['Date.now()', 'no-restricted-properties', 'Clock of domain/base/clock.ts'],
    ['new Date()', 'no-restricted-syntax', 'Clock of domain/base/clock.ts'],
    ['setTimeout(work, 5)', 'no-restricted-globals', 'Clock of domain/base/clock.ts'],
    ['globalThis.setTimeout(work, 5)', 'no-restricted-globals', 'Clock of domain/base/clock.ts'],
    ['AbortSignal.timeout(5)', 'no-restricted-properties', 'Clock of domain/base/clock.ts'],
    [
      `import { setTimeout as sleep } from 'node:timers/promises'`,
      'no-restricted-imports',
      'Clock of domain/base/clock.ts',
    ],
    ['Math.random()', 'no-restricted-properties', 'randomness belongs to the caller'],
    [`globalThis.fetch('https://x')`, 'no-restricted-globals', 'Take fetch as an argument'],
  ])('refuses %s in every service, and names the argument', async (line, ruleId, advice) => {
    for (const area of ['rental-api', 'ssh', 'vault', 'storage', 'instances', 'two-factor', 'updates']) {
      const found = await complaints(`src-main/services/${area}/planted.ts`, line, ruleId)
      expect(found, area).toEqual([expect.stringContaining(advice)])
    }
    expect(await complaints('src-main/app/system-clock.ts', line, ruleId)).toEqual([])
  })

  it('leaves dates that are given alone', async () => {
    const line = 'export const at = (nowMs: number): Date => new Date(nowMs)'
    expect(await complaints('src-main/domain/planted.ts', line, 'no-restricted-syntax')).toEqual([])
  })

  it.each([
    'process.platform',
    'document.title',
    'Buffer.alloc(1)',
    'let timer: NodeJS.Timeout',
    'crypto.randomUUID()',
  ])('refuses %s in domain/', async (line) => {
    expect(await complaints('src-main/domain/planted.ts', line, 'slipway/pure-globals')).toEqual([
      expect.stringContaining('belongs to Node or to the DOM'),
    ])
  })

  it('leaves the language itself and what every world has to domain/', async () => {
    const line =
      'export const f = (s: AbortSignal, m: Readonly<Map<string, URL>>): string => JSON.stringify([s, m])'
    expect(await complaints('src-main/domain/planted.ts', line, 'slipway/pure-globals')).toEqual([])
  })

  it.each([
    [`<p v-html="text" />`, 'vue/no-v-html'],
    [`<p :innerHTML="text" />`, 'vue/no-restricted-v-bind'],
  ])('refuses %s in the window', async (markup, ruleId) => {
    const page = `<script setup lang="ts">\nconst text = ''\n</script>\n<template>${markup}</template>\n`
    expect(await complaints('src-renderer/ui/Planted.vue', page, ruleId)).toHaveLength(1)
  })

  it('refuses innerHTML in the window', async () => {
    const line = `document.body.innerHTML = ''`
    expect(await complaints('src-renderer/ui/planted.ts', line, 'no-restricted-properties')).toHaveLength(1)
  })
})

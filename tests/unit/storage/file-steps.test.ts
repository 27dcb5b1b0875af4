import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { upgraded, type IsOwn, type VersionStep } from '#domain/base/file-version.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { forwardsFile } from '#domain/forwards/forward.ts'
import { accountsFile } from '#services/accounts/accounts-file.ts'
import { filePlacesFile } from '#services/files/file-places.ts'
import { transfersFile } from '#services/files/transfer-store.ts'
import { emptyContent } from '#domain/templates/template-content.ts'
import { emptyArrangement } from '#domain/terminals/saved-terminals.ts'
import { formOf } from '#domain/templates/template-form.ts'
import { idleTrackerFile } from '#services/guards/idle-tracker.ts'
import { lastInstancesFile, instanceNotesFile } from '#services/instances/list.ts'
import { seenUser } from '#domain/last-seen/last-seen.ts'
import { lastSeenFile } from '#services/last-seen/last-seen-file.ts'
import { editedCopiesFile } from '#services/files/open/edited-copies.ts'
import { unsavedTextsFile } from '#services/files/open/unsaved-texts.ts'
import { projectsFile } from '#services/files/push/projects.ts'
import { machineNotesFile } from '#services/figures/machine-notes.ts'
import { guardsFile } from '#services/guards/guards-file.ts'
import { twoFactorFile } from '#services/two-factor/pending-steps.ts'
import { preferencesFile } from '#services/settings/preferences.ts'
import { offerListsFile } from '#services/offers/offer-lists.ts'
import { offerWatchesFile } from '#services/offers/offer-watches.ts'
import { templateDraftsFile } from '#services/templates/template-drafts.ts'
import { templateHashesFile } from '#services/templates/template-hash-history.ts'
import { savedTerminalsFile } from '#services/terminals/saved-terminals.ts'
import { sshChoicesFile } from '#services/ssh/connection/instance-routes.ts'
import { budgetFile } from '#services/spending/budget-watch.ts'
import { spendingFile } from '#services/spending/ledger.ts'
import { vaultIndexFile } from '#services/vault/vault-index.ts'
import {
  formerTransfer,
  latestTransfer,
  machineNote,
  placesKept,
  pushedProject,
  terminal,
  transfer,
  guard,
  forward,
  fired,
} from './file-examples.ts'

/** A file as it was in each of its versions, the oldest first; all of them say the same. */
interface Versions {
  readonly name: string
  readonly file: { readonly schema: z.ZodType; readonly steps?: readonly VersionStep[] }
  readonly versions: readonly unknown[]
}

function perInstance(name: string, file: Versions['file'], value: unknown): Versions {
  return { name, file, versions: [{ other: { 8: value }, me: { 7: value } }, { 7: value }] }
}

const isOwn: IsOwn = (owner) => owner === 'me' || owner === '1 at https://rent.example'
/** What belongs to another account in a file of all of them. */
const notMine = { owner: 'somebody else' }
const identity = { machineId: null, startedAt: null }
const list = { fetchedAt: 5, instances: [] }
const unsavedText = {
  ...{ instanceId: 7, folder: '/root', name: 'train.py', text: 'lr = 1', expected: 'a-6' },
  ...{ mode: 0o644, changedAt: 1 },
}
const copy = {
  ...{ id: 'a', instanceId: 7, folder: '/root', name: 'train.py', file: 'train.py' },
  ...{ expected: 'a-6', mode: 0o644, changedAt: 1 },
}
const draft = {
  draft: {
    id: '3f0c3f6e-8d1c-4a52-9f3b-0c5a3f6e8d1c',
    origin: { kind: 'new' },
    form: formOf({ ...emptyContent, name: 'mine' }),
  },
  ...{ changedAt: 5, hadToken: false, sent: null },
}
const budget = { usd: 200, told: { month: '2026-11', percent: 80 }, dismissed: null }
const told = [{ offerId: 7, usd: 0.35, goneAt: null }]
const watched = { searchId: 's', tellUsd: 0.4, query: defaultOfferQuery, courseId: 'c', told }
const somebody = { serviceAddress: 'https://rent.example', userId: 2 }
const marked = (id: number) => [{ kind: 'host', id, title: 'a host', at: 5 }]
const formerLists = { favourites: marked(2), blocked: marked(3), searches: [] }
const lists = { favorites: marked(2), blocked: marked(3), searches: [] }
const account = {
  ...{ id: '0123456789abcdef', serviceAddress: 'https://rent.example', userId: 2 },
  ...{ keyMask: '••••1234', name: 'Work' },
}
const notes = twoFactorFile.fallback
const arrangement = {
  terminals: [{ ...terminal, wish: { kind: 'plain' }, isSessionMissing: false, folder: null }],
  ...{ layout: null, active: terminal.key },
}
const words = (label: string) => ({ label, note: '', at: 4 })
const sshChoice = { via: { kind: 'direct' }, forwardAgent: true, at: 4 }
const session = { kind: 'session-key', isAdmin: true, since: 3 }
const formerKey = { kind: 'api-key', accountId: 'a', since: 1 }
const newerEntry = { kind: 'passkey', accountId: 'of a newer Slipway' }

const train = { instanceId: 7, label: 'train', model: '2 × H100' }
const sighting = { ...train, identity, isRunning: true, perHourUsd: 2 }
const hourLine = {
  ...{ kind: 'hour', hour: '2026-11-26T12:00Z', since: '2026-11-26T12:05:00.000Z', ...train },
  ...{ runningSeconds: 3600, stoppedSeconds: 0, unpricedSeconds: 0, usd: 2 },
}

const all: readonly Versions[] = [
  {
    name: 'preferences.json',
    file: preferencesFile,
    versions: [
      { identityFile: '~/.ssh/id', sshUser: 'kim' },
      { identityFiles: ['~/.ssh/id'], sshUser: 'kim' },
    ],
  },
  {
    name: 'accounts.json',
    file: accountsFile,
    versions: [
      { accounts: [{ ...account, accountId: 'a', colour: 'teal' }], front: null },
      { accounts: [{ ...account, accountId: 'a', color: 'teal' }], front: null },
      { accounts: [{ ...account, keyId: 'a', color: 'teal' }], front: null },
    ],
  },
  {
    name: 'guards.json',
    file: guardsFile,
    versions: [
      { guards: [{ ...guard, owner: 'me' }], fired: [] },
      {
        guards: [
          { ...guard, identity, owner: 'me' },
          { ...guard, identity, ...notMine },
        ],
        fired: [{ ...fired, ...notMine }],
      },
      { guards: [{ ...guard, identity }], fired: [] },
      { guards: [{ ...guard, identity, stoppedSince: null }], fired: [] },
      {
        guards: [{ ...guard, identity, stoppedSince: null, place: 'slipway' }],
        ...{ fired: [], owner: null, watched: [] },
      },
    ],
  },
  {
    name: 'terminals.json',
    file: savedTerminalsFile,
    versions: [
      { me: { terminals: [terminal], layout: null, active: terminal.key } },
      { other: emptyArrangement, me: arrangement },
      arrangement,
    ],
  },
  {
    name: 'forwards.json',
    file: forwardsFile,
    versions: [
      [
        { ...forward, ...notMine },
        { ...forward, owner: 'me' },
      ],
      [forward],
    ],
  },
  {
    name: 'transfers.json',
    file: transfersFile,
    versions: [
      [
        { ...transfer, owner: 'me' },
        { ...transfer, ...notMine },
      ],
      [transfer],
      [formerTransfer],
      [latestTransfer],
    ],
  },
  {
    name: 'attendance.json',
    file: idleTrackerFile,
    versions: [
      [
        { instanceId: 7, at: 5, ...notMine },
        { instanceId: 7, at: 6, owner: 'me' },
      ],
      [{ instanceId: 7, at: 6 }],
    ],
  },
  {
    name: 'last-instances.json of another account',
    file: lastInstancesFile,
    versions: [{ ...list, ...notMine }, null],
  },
  {
    name: 'security.json',
    file: twoFactorFile,
    versions: [
      { other: twoFactorFile.fallback, me: { ...notes, isSmsDisabled: true } },
      { ...notes, isSmsDisabled: true },
    ],
  },
  {
    name: 'security.json without a part of the account',
    file: twoFactorFile,
    versions: [{ other: { ...notes, isSmsDisabled: true } }, notes],
  },
  {
    name: 'template-drafts.json',
    file: templateDraftsFile,
    versions: [{ other: [], me: [draft] }, [draft]],
  },
  {
    name: 'template-hashes.json',
    file: templateHashesFile,
    versions: [{ other: { a: 'c' }, me: { a: 'b' } }, { a: 'b' }],
  },
  {
    name: 'offer-lists.json',
    file: offerListsFile,
    versions: [
      [
        { ...somebody, lists: { favourites: [], blocked: [], searches: [] } },
        { ...somebody, userId: 1, lists: formerLists },
      ],
      formerLists,
      lists,
    ],
  },
  perInstance('instance-words.json', instanceNotesFile, words('mine')),
  perInstance('machine-notes.json', machineNotesFile, machineNote),
  perInstance('ssh-choices.json', sshChoicesFile, sshChoice),
  {
    name: 'spending.json',
    file: spendingFile,
    versions: [{ seenAt: 5, creditUsd: 40, sightings: [sighting], open: [], closed: [hourLine] }],
  },
  { name: 'offer-watches.json', file: offerWatchesFile, versions: [[watched]] },
  { name: 'edited-copies.json', file: editedCopiesFile, versions: [[copy]] },
  { name: 'unsaved-texts.json', file: unsavedTextsFile, versions: [[unsavedText]] },
  { name: 'projects.json', file: projectsFile, versions: [[pushedProject]] },
  { name: 'file-places.json', file: filePlacesFile, versions: [placesKept] },
  { name: 'budget.json', file: budgetFile, versions: [budget] },
  {
    name: 'last-account.json',
    file: lastSeenFile(seenUser),
    versions: [[{ question: '', seenAt: 5, content: { id: 1, email: 'ada@example.com' } }]],
  },
  {
    name: 'vault-index.json',
    file: vaultIndexFile,
    versions: [
      { entries: [{ ...session, accountId: 'a' }, formerKey, newerEntry] },
      { entries: [{ ...session, accountId: 'a', isEnded: false }, formerKey, newerEntry] },
      {
        entries: [
          { ...session, keyId: 'a', isEnded: false },
          { kind: 'api-key', keyId: 'a', since: 1 },
          newerEntry,
        ],
      },
    ],
  },
]

describe.each(all)('$name', ({ file: { schema, steps = [] }, versions }) => {
  const read = (content: unknown, version: number): unknown =>
    schema.parse(upgraded(content, version, steps, isOwn))

  test('is read the same from each version', () => {
    expect(versions).toHaveLength(steps.length + 1)
    const [latest] = versions.slice(-1)
    for (const [index, content] of versions.entries())
      expect(read(content, index + 1)).toEqual(schema.parse(latest))
  })

  test('of an older version does not fit without its steps, or loses what they bring along', () => {
    const [latest] = versions.slice(-1)
    for (const content of versions.slice(0, -1)) {
      const parsed = schema.safeParse(content)
      expect(parsed.success && parsed.data).not.toEqual(schema.parse(latest))
    }
  })

  test('what says all that the latest version does already is changed by no step', () => {
    const [latest] = versions.slice(-1)
    for (const step of steps) expect(step(latest, isOwn)).toEqual(latest)
  })

  test('no step throws, whatever is on the disk', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        for (const step of steps) step(content, isOwn)
      }),
    )
  })
})

test('the last known list of the account itself is taken along', () => {
  const { schema, steps = [] } = lastInstancesFile
  expect(schema.parse(upgraded({ ...list, owner: 'me' }, 1, steps, isOwn))).toEqual(list)
})

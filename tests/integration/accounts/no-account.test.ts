import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { contract } from '#contract/contract.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'

const flagged = z.object({ '~orpc': z.object({ meta: z.object({ ofAccount: z.literal(true) }) }) })

/** The calls that change something of an account, by their names in the contract. */
const ofAccount = Object.entries(contract).flatMap(([area, calls]) =>
  Object.entries(calls).flatMap(([name, call]) => (flagged.safeParse(call).success ? [{ area, name }] : [])),
)

test('they are these', () => {
  expect(ofAccount.map(({ area, name }) => `${area}.${name}`)).toEqual([
    ...['addFavourite', 'removeFavourite', 'block', 'unblock', 'saveSearch', 'removeSearch'].map(
      (name) => `offers.${name}`,
    ),
    ...['readDraft', 'keepDraft', 'discardDraft', 'holdToken', 'save', 'remove'].map(
      (name) => `templates.${name}`,
    ),
    ...['writeOwn', 'rent', 'stop', 'destroy'].map((name) => `instances.${name}`),
    ...['chains.begin', 'guards.set', 'connections.choose', 'files.startTransfer'],
    ...['terminals.open', 'terminals.keepDesk', 'terminals.keepScreen'],
    ...['forwards.add', 'forwards.change', 'forwards.start'],
    ...['security.allowSms', 'security.dismissUnfinished', 'runs.start'],
  ])
})

test('without an account, nothing of one can be changed, whatever is sent along', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-no-account-'))
  onTestFinished(() => rm(userData, { recursive: true, force: true }))
  const main = await startMain({ userData, keychain: fakeBackend() })
  onTestFinished(() => main.app.dispose())
  const client = main.window().client as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >
  for (const { area, name } of ofAccount)
    await expect(client[area]?.[name]?.({ any: 'thing' }), `${area}.${name}`).rejects.toMatchObject({
      data: { kind: 'no-account' },
    })
})

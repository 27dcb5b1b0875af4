import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { callAt, contractCalls } from '../../support/contract-calls.ts'
import { startMain } from '../whole/main-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const flagged = z.object({ '~orpc': z.object({ meta: z.object({ ofAccount: z.literal(true) }) }) })

/** The calls that change something of an account, by their names in the contract. */
const ofAccount = contractCalls.filter(({ procedure }) => flagged.safeParse(procedure).success)

test('they are these', () => {
  expect(ofAccount.map(({ path }) => path.join('.'))).toEqual([
    ...[
      ...['figures.show', 'figures.check.run', 'figures.check.accept', 'figures.speed.start'],
      ...['files.setBookmark', 'files.noteShown', 'files.startTransfer'],
      ...['files.saveProject', 'files.reviewProject', 'files.pushProject'],
      ...['files.save', 'files.openInEditor', 'files.answerCopy', 'files.keepUnsaved'],
      'forwards.add',
      'forwards.change',
      'forwards.forwardPort',
      'forwards.start',
      'guards.set',
    ],
    ...['guards.lookAtInstance', 'guards.removeForeign', 'guards.setLimit'],
    ...['writeOwn', 'stop', 'destroy'].map((name) => `instances.${name}`),
    ...['jobs.begin', 'jobs.repeat'],
    ...['addFavorite', 'removeFavorite', 'block', 'unblock', 'saveSearch', 'removeSearch'].map(
      (name) => `offers.${name}`,
    ),
    ...['offers.watches.set', 'offers.watches.remove'],
    ...[
      'renting.rent',
      'renting.retries.begin',
      'renting.retries.replace',
      'renting.autoRent.begin',
      'runs.start',
      'spending.setBudget',
      'ssh.connections.choose',
    ],
    ...['readDraft', 'keepDraft', 'discardDraft', 'holdToken', 'save', 'remove'].map(
      (name) => `templates.${name}`,
    ),
    ...['terminals.open', 'terminals.keepArrangement', 'terminals.keepScreen'],
    ...['chooseBearer', 'allowSms', 'dismissUnfinished'].map((name) => `twoFactor.${name}`),
  ])
})

test('without an account, nothing of one can be changed, whatever is sent along', async () => {
  const userData = await temporaryFolder()
  const main = await startMain({ userData, keychain: fakeBackend() })
  onTestFinished(() => main.app.dispose())
  const { client } = main.window()
  for (const call of ofAccount)
    await expect(callAt(client, call)({ any: 'thing' }), call.path.join('.')).rejects.toMatchObject({
      data: { kind: 'no-account' },
    })
})

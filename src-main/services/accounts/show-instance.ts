import type { Accounts } from './accounts.ts'
import type { OpenAccount } from './opened-account.ts'
import type { Clock } from '../../domain/base/clock.ts'

/** So long lists are waited for that are not known yet, as when Slipway was started by the link. */
const patienceMs = 8_000
const lookEveryMs = 100

type Services = Pick<OpenAccount, 'summary'>

/**
 * Brings the page of an instance to the front, in the account that has it. Where none has it, or several have one of
 * that id, the page in front says so and asks. Nothing is done with the instance.
 */
export async function showInstance(
  id: number,
  {
    accounts,
    clock,
    signal,
  }: {
    readonly accounts: Pick<Accounts<never>, 'openInstance' | 'askFront'> & {
      readonly all: readonly { readonly id: string; readonly services: Services }[]
    }
    readonly clock: Clock
    readonly signal: AbortSignal
  },
): Promise<void> {
  const isListed = ({ services }: { readonly services: Services }): boolean =>
    services.summary.now().summarized.instances !== null
  const having = (): readonly string[] =>
    accounts.all.flatMap((account) =>
      account.services.summary.now().summarized.instances?.some((one) => one.id === id) === true
        ? [account.id]
        : [],
    )
  for (let waitedMs = 0; waitedMs < patienceMs && !accounts.all.every(isListed); waitedMs += lookEveryMs)
    await clock.sleep(lookEveryMs, signal)

  const [one, ...others] = having()
  if (one !== undefined && others.length === 0) {
    accounts.openInstance(one, id)
    return
  }
  accounts.askFront({
    kind: 'instance-unclear',
    id,
    accounts: having(),
    unknown: accounts.all.filter((account) => !isListed(account)).map((account) => account.id),
  })
}

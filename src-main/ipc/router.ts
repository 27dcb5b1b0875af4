import { implement, type AnyRouter } from '@orpc/server'
import { contract } from '../contract/contract.ts'
import { accountsRouter } from './routers/accounts.ts'
import { cloudRouter } from './routers/cloud.ts'
import { diagnosticsRouter } from './routers/diagnostics.ts'
import { figuresRouter } from './routers/figures.ts'
import { filesRouter } from './routers/files.ts'
import { forwardsRouter } from './routers/forwards.ts'
import { guardsRouter } from './routers/guards.ts'
import { instancesRouter } from './routers/instances.ts'
import { jobsRouter } from './routers/jobs.ts'
import { lastSeenRouter } from './routers/last-seen.ts'
import { notificationsRouter } from './routers/notifications.ts'
import { offersRouter } from './routers/offers.ts'
import { rentingRouter } from './routers/renting.ts'
import { runsRouter } from './routers/runs.ts'
import { settingsRouter } from './routers/settings.ts'
import { spendingRouter } from './routers/spending.ts'
import { sshRouter } from './routers/ssh.ts'
import { templatesRouter } from './routers/templates.ts'
import { terminalsRouter } from './routers/terminals.ts'
import { twoFactorRouter } from './routers/two-factor.ts'
import { updatesRouter } from './routers/updates.ts'
import { vaultRouter } from './routers/vault.ts'
import { workbenchRouter } from './routers/workbench.ts'

const os = implement(contract)

/** What a page is served: the services of each area, as its router takes them. */
export interface ServedServices {
  readonly accounts: Parameters<typeof accountsRouter>[0]
  readonly key: Parameters<typeof accountsRouter>[1]
  readonly cloud: Parameters<typeof cloudRouter>[0]
  readonly diagnostics: Parameters<typeof diagnosticsRouter>[0]
  readonly figures: Parameters<typeof figuresRouter>[0]
  readonly machine: Parameters<typeof figuresRouter>[1]
  readonly files: Parameters<typeof filesRouter>[0]
  readonly forwards: Parameters<typeof forwardsRouter>[0]
  readonly guards: Parameters<typeof guardsRouter>[0]
  readonly instances: Parameters<typeof instancesRouter>[0]
  readonly jobs: Parameters<typeof jobsRouter>[0]
  readonly lastSeen: Parameters<typeof lastSeenRouter>[0]
  readonly notifications: Parameters<typeof notificationsRouter>[0]
  readonly offers: Parameters<typeof offersRouter>[0]
  readonly renting: Parameters<typeof rentingRouter>[0]
  readonly runs: Parameters<typeof runsRouter>[0]
  readonly settings: Parameters<typeof settingsRouter>[0]
  readonly spending: Parameters<typeof spendingRouter>[0]
  readonly ssh: Parameters<typeof sshRouter>[0]
  readonly templates: Parameters<typeof templatesRouter>[0]
  readonly terminals: Parameters<typeof terminalsRouter>[0]
  readonly twoFactor: Parameters<typeof twoFactorRouter>[0]
  readonly signedOut: Parameters<typeof twoFactorRouter>[1]
  readonly updates: Parameters<typeof updatesRouter>[0]
  readonly vault: Parameters<typeof vaultRouter>[0]
  readonly workbench: Parameters<typeof workbenchRouter>[0]
  readonly pages: Parameters<typeof workbenchRouter>[1]
}

/** The contract, answered by the services: one line per call in the router of its area, and no rule. */
export function createRouter(services: ServedServices): AnyRouter {
  return os.router({
    accounts: accountsRouter(services.accounts, services.key),
    cloud: cloudRouter(services.cloud),
    diagnostics: diagnosticsRouter(services.diagnostics),
    figures: figuresRouter(services.figures, services.machine),
    files: filesRouter(services.files),
    forwards: forwardsRouter(services.forwards),
    guards: guardsRouter(services.guards),
    instances: instancesRouter(services.instances),
    jobs: jobsRouter(services.jobs),
    lastSeen: lastSeenRouter(services.lastSeen),
    notifications: notificationsRouter(services.notifications),
    offers: offersRouter(services.offers),
    renting: rentingRouter(services.renting),
    runs: runsRouter(services.runs),
    settings: settingsRouter(services.settings),
    spending: spendingRouter(services.spending),
    ssh: sshRouter(services.ssh),
    templates: templatesRouter(services.templates),
    terminals: terminalsRouter(services.terminals),
    twoFactor: twoFactorRouter(services.twoFactor, services.signedOut),
    updates: updatesRouter(services.updates),
    vault: vaultRouter(services.vault),
    workbench: workbenchRouter(services.workbench, services.pages),
  })
}

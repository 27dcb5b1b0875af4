import { accounts } from './accounts.ts'
import { cloud } from './cloud.ts'
import { diagnostics } from './diagnostics.ts'
import { figures } from './figures.ts'
import { files } from './files.ts'
import { forwards } from './forwards.ts'
import { guards } from './guards.ts'
import { instances } from './instances.ts'
import { jobs } from './jobs.ts'
import { lastSeen } from './last-seen.ts'
import { notifications } from './notifications.ts'
import { offers } from './offers.ts'
import { renting } from './renting.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'
import { spending } from './spending.ts'
import { ssh } from './ssh.ts'
import { templates } from './templates.ts'
import { terminals } from './terminals.ts'
import { twoFactor } from './two-factor.ts'
import { updates } from './updates.ts'
import { vault } from './vault.ts'
import { workbench } from './workbench.ts'

// By name: all areas in one inferred type are more than the compiler writes down.
type Contract = {
  readonly accounts: typeof accounts
  readonly cloud: typeof cloud
  readonly diagnostics: typeof diagnostics
  readonly figures: typeof figures
  readonly files: typeof files
  readonly forwards: typeof forwards
  readonly guards: typeof guards
  readonly instances: typeof instances
  readonly jobs: typeof jobs
  readonly lastSeen: typeof lastSeen
  readonly notifications: typeof notifications
  readonly offers: typeof offers
  readonly renting: typeof renting
  readonly runs: typeof runs
  readonly settings: typeof settings
  readonly spending: typeof spending
  readonly ssh: typeof ssh
  readonly templates: typeof templates
  readonly terminals: typeof terminals
  readonly twoFactor: typeof twoFactor
  readonly updates: typeof updates
  readonly vault: typeof vault
  readonly workbench: typeof workbench
}

/** The whole surface between the window and main. */
export const contract: Contract = {
  accounts,
  cloud,
  diagnostics,
  figures,
  files,
  forwards,
  guards,
  instances,
  jobs,
  lastSeen,
  notifications,
  offers,
  renting,
  runs,
  settings,
  spending,
  ssh,
  templates,
  terminals,
  twoFactor,
  updates,
  vault,
  workbench,
}

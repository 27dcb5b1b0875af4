import { account } from './account.ts'
import { accounts } from './accounts.ts'
import { chains } from './chains.ts'
import { cloud } from './cloud.ts'
import { connections } from './connections.ts'
import { diagnostics } from './diagnostics.ts'
import { files } from './files.ts'
import { frame } from './frame.ts'
import { forwards } from './forwards.ts'
import { guards } from './guards.ts'
import { instances } from './instances.ts'
import { keychain } from './keychain.ts'
import { keyHealth } from './key-health.ts'
import { knownHosts } from './known-hosts.ts'
import { licenses } from './licenses.ts'
import { notifications } from './notifications.ts'
import { offers } from './offers.ts'
import { proxy } from './proxy.ts'
import { renting } from './renting.ts'
import { security } from './security.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'
import { sshConfig } from './ssh-config.ts'
import { sshKeys } from './ssh-keys.ts'
import { templates } from './templates.ts'
import { terminals } from './terminals.ts'
import { updates } from './updates.ts'
import { vault } from './vault.ts'

// By name: all areas in one inferred type are more than the compiler writes down.
type Contract = {
  readonly account: typeof account
  readonly accounts: typeof accounts
  readonly keyHealth: typeof keyHealth
  readonly keychain: typeof keychain
  readonly sshKeys: typeof sshKeys
  readonly sshConfig: typeof sshConfig
  readonly knownHosts: typeof knownHosts
  readonly offers: typeof offers
  readonly templates: typeof templates
  readonly cloud: typeof cloud
  readonly proxy: typeof proxy
  readonly renting: typeof renting
  readonly instances: typeof instances
  readonly chains: typeof chains
  readonly guards: typeof guards
  readonly notifications: typeof notifications
  readonly connections: typeof connections
  readonly files: typeof files
  readonly terminals: typeof terminals
  readonly forwards: typeof forwards
  readonly security: typeof security
  readonly runs: typeof runs
  readonly settings: typeof settings
  readonly updates: typeof updates
  readonly diagnostics: typeof diagnostics
  readonly licenses: typeof licenses
  readonly frame: typeof frame
  readonly vault: typeof vault
}

/** The whole surface between the window and main. */
export const contract: Contract = {
  account,
  accounts,
  keyHealth,
  keychain,
  sshKeys,
  sshConfig,
  knownHosts,
  offers,
  templates,
  cloud,
  proxy,
  renting,
  instances,
  chains,
  guards,
  notifications,
  connections,
  files,
  terminals,
  forwards,
  security,
  runs,
  settings,
  updates,
  diagnostics,
  licenses,
  frame,
  vault,
}

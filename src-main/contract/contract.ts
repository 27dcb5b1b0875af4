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

/** The whole surface between the window and main. */
export const contract = {
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

import { gzipSync } from 'node:zlib'
import { identityIn } from '../domain/accounts/account.ts'
import { withLifetime, type Lifetime } from '../domain/base/lifetime.ts'
import { keepAccountFresh } from '../services/accounts/account-freshness.ts'
import { accountSummary } from '../services/accounts/account-summary.ts'
import { openAccountFolder } from '../services/accounts/accounts-file.ts'
import type { AccountKey } from '../services/accounts/account-key.ts'
import { createKeyPermissionsService } from '../services/accounts/key-permissions.ts'
import { openAccountKey, type AccountToOpen } from '../services/accounts/open-account-key.ts'
import type { AmongAccounts } from '../services/accounts/opened-account.ts'
import { signOutEffectsOf, signOut } from '../services/accounts/sign-out.ts'
import { createCloud } from '../services/cloud/cloud.ts'
import { openDiagnostics } from '../services/diagnostics/open-diagnostics.ts'
import { openFigures } from '../services/figures/open-figures.ts'
import { openMachineChecks } from '../services/figures/open-machine-checks.ts'
import { openFiles } from '../services/files/open-files.ts'
import { openForwards } from '../services/forwards/open-forwards.ts'
import { openGuards } from '../services/guards/open-guards.ts'
import { createExternalLinks } from '../services/instances/external-links.ts'
import { openInstances } from '../services/instances/open-instances.ts'
import { openJobs } from '../services/jobs/open-jobs.ts'
import { openLastSeen } from '../services/last-seen/open-last-seen.ts'
import { createNotifier } from '../services/notifications/notifier.ts'
import { sendStatusNotifications } from '../services/notifications/status-notifications.ts'
import { openOffers } from '../services/offers/open-offers.ts'
import { openRenting } from '../services/renting/open-renting.ts'
import { openRuns } from '../services/runs/open-runs.ts'
import { openSettings } from '../services/settings/open-settings.ts'
import { openSpending } from '../services/spending/open-spending.ts'
import { openKnownHosts } from '../services/ssh/known-hosts/known-hosts-file.ts'
import { openSsh } from '../services/ssh/open-ssh.ts'
import { openTemplates } from '../services/templates/open-templates.ts'
import { openTerminals } from '../services/terminals/open-terminals.ts'
import { openTwoFactor } from '../services/two-factor/open-two-factor.ts'
import { openSignedOutLogin } from '../services/two-factor/signed-out-login.ts'
import { openWorkbench } from '../services/workbench/open-workbench.ts'
import type { SharedServices } from './shared-services.ts'

export interface AccountDependencies extends SharedServices {
  /** `null` for what stands in for an account where none is connected. */
  readonly opened: AccountToOpen | null
  readonly among: AmongAccounts
}

/** Everything of one account: nothing in it knows of another one. */
export type AccountServices = Awaited<ReturnType<typeof openServices>>

/** Opens all that belongs to one account. Throws as `openAccountKey` and `openJsonFile` do. */
export function openAccountServices(from: AccountDependencies): Promise<AccountServices> {
  const onDate = from.vault.correctedClock.note
  return openAccountKey({ ...from, onDate }, (key) =>
    withLifetime((lifetime) => openServices(key, from, lifetime)),
  )
}

async function openServices(key: AccountKey, from: AccountDependencies, lifetime: Lifetime) {
  const { opened, among, userData, vault, preferences, programs, secrets, clock, log } = from
  const { http, state: account } = key
  const folder = openAccountFolder({ userData, id: opened?.id ?? null, clock, log })
  const base = { ...from, http, account, folder, file: folder.file, now: clock.now }
  const instanceKeys = vault.instanceKeysOf(key.identity)

  const instances = await openInstances({ ...base, forgetGone: instanceKeys.forgetGone }, lifetime)
  const { watch, activity, list } = instances
  const { snapshot } = watch
  const notifier = createNotifier({ ...base, labelOf: list.labelOf })
  const { notify } = notifier
  const spending = await openSpending(
    { ...base, watch, labelOf: list.labelOf, notify, chooseFile: secrets.chooseFile },
    lifetime,
  )
  const lastSeen = await openLastSeen(base, lifetime)
  const templates = await openTemplates(
    { ...base, userId: key.userId, chooseFile: secrets.chooseFile, onFound: lastSeen.noteTemplates },
    lifetime,
  )
  const offers = await openOffers({ ...base, snapshot, notify, onFound: lastSeen.noteOffers }, lifetime)
  const ssh = await openSsh(
    { ...base, snapshot, lastSeen: list.list, isNamedElsewhere: among.isNamedElsewhere },
    lifetime,
  )
  const { connections } = ssh
  const files = await openFiles(
    {
      ...{ ...base, connections, snapshot, notify, platform: process.platform },
      ownEditor: {
        ...from.ownEditor,
        program: () => preferences.value.ownEditor,
        keep: (ownEditor) => from.preferencesFile.update({ ownEditor }),
      },
    },
    lifetime,
  )
  const figures = openFigures({ ...base, connections, watch, notify }, lifetime)
  const terminals = await openTerminals(
    {
      ...base,
      connections,
      notify,
      labelOf: list.labelOf,
      chooseFile: secrets.chooseFile,
      makeRoom: async (id) =>
        (await forwards.ports.makeRoom(id)) ||
        (await files.makeRoom(id)) ||
        (await figures.each.makeRoom(id)),
      openPlainLink: programs.openPlainLink,
      onOpened: (id) => void activity.note(id, { kind: 'terminal-opened' }),
    },
    lifetime,
  )
  const forwards = await openForwards(
    {
      ...base,
      ...{ connections, snapshot, openPort: programs.openPort, platform: process.platform },
      hasTerminal: (id) => terminals.connected().has(id),
    },
    lifetime,
  )
  const runs = await openRuns(
    { ...base, connections, notify, onRunning: (id) => void activity.note(id, { kind: 'command-run' }) },
    lifetime,
  )
  const machine = await openMachineChecks({ ...base, connections, list: list.list, notify }, lifetime)
  const guards = await openGuards(
    {
      ...{ ...base, instances, notify },
      inUse: [
        terminals.connected,
        () => forwards.all.connected,
        () => files.transfers.connected,
        () => files.sync.connected,
        () => runs.runs.connected,
      ],
      onInstances: {
        connections,
        keyOf: instanceKeys.valueIfThere,
        serviceAddress: () => key.identity().serviceAddress,
        scripts: from.machineScripts,
      },
    },
    lifetime,
  )
  const renting = await openRenting(
    {
      ...base,
      instances,
      notify,
      onRented: guards.onRented,
      publicKey: () => vault.sshKey.publicKey(),
      keepKey: instanceKeys.keep,
      compress: (text) => gzipSync(text, { level: 9 }).toString('base64'),
      seal: vault.seal,
      latestHash: templates.latestHash,
      search: offers.offersFor,
      isBlocked: offers.isBlocked,
      watched: offers.watches,
      moneyObstacle: guards.moneyObstacle,
    },
    lifetime,
  )
  const jobs = await openJobs(
    {
      ...base,
      ...{ instances, connections, notify },
      scripts: from.machineScripts,
      retries: renting.retries,
      rules: guards.store,
      files: files.forJobs,
      seal: vault.seal,
      chooseFile: secrets.chooseFile,
    },
    lifetime,
  )
  const twoFactor = await openTwoFactor({ ...base, key }, lifetime)
  const signedOut = openSignedOutLogin(base, lifetime)
  const accountVault = vault.accountVaultOf(() => identityIn(account.value), among.others)
  const workbench = await openWorkbench(base)

  const cloud = createCloud({ ...base, onListed: lastSeen.noteCloud })
  const diagnostics = openDiagnostics({
    ...base,
    snapshot,
    remembered: list.remembered,
    connections: connections.list,
    choices: ssh.choices.latest,
    otherHosts: among.otherHosts,
    configuredNames: ssh.hostConfig.names,
    trustedHosts: openKnownHosts(from.knownHostsFile).read,
    chooseFile: secrets.chooseFile,
  })
  const pendingWork = () => ({
    guards: guards.countPending(),
    isTrying: renting.isTrying(),
    autoRents: renting.autoRents(),
    jobs: jobs.jobs.underWay,
  })

  lifetime.follow((signal) => accountVault.follow(signal))
  lifetime.follow((signal) => lastSeen.followTwoFactor(twoFactor.state, signal))
  lifetime.follow((signal) => sendStatusNotifications({ snapshot, seesTo: renting.seesTo, notify, signal }))
  lifetime.follow((signal) =>
    keepAccountFresh({
      ...{ account, check: key.check, watch, remembered: list.remembered },
      ...{ keychain: vault.state, signal },
    }),
  )
  lifetime.start()

  return {
    key: {
      ...key,
      permissions: createKeyPermissionsService({ key: { state: account, http: key.keyHttp }, clock }),
    },
    instances: {
      ...instances,
      links: createExternalLinks({
        ...instances,
        user: () => preferences.value.sshUser,
        hasEditor: from.hasEditor,
        lastFolderOf: (id) => files.places.lastFolderOf(id),
        aliasOf: (id) => ssh.config.aliasOf(id),
        routes: ssh.routes,
        programs,
      }),
    },
    lastSeen,
    notifications: notifier,
    templates,
    offers,
    renting,
    ssh,
    files,
    terminals,
    figures,
    jobs,
    machine,
    forwards,
    runs,
    guards,
    spending,
    twoFactor,
    signedOut,
    vault: { ...vault, accountVault },
    workbench,
    cloud,
    settings: openSettings({
      ...base,
      chooseFile: secrets.chooseFile,
      lists: offers.lists,
      logFile: log.path,
    }),
    diagnostics,

    pageRequests: workbench.pageRequests,
    summary: accountSummary({
      state: account,
      snapshot,
      list: list.list,
      alarms: guards.alarms,
      guards: guards.store.state,
    }),
    hosts: diagnostics.hosts,
    namesInstance: (id: number) => ssh.config.state.value.instanceIds.includes(id),
    pendingWork,
    signOutEffects: () =>
      signOutEffectsOf({
        account: account.value,
        pendingWork: pendingWork(),
        guardedInstances: guards.guardedInstances(),
        list: snapshot.value,
        terminals: terminals.connected(),
        forwards: forwards.all.state.value,
        transfers: files.transfers.state.value,
        copies: files.copies.latest.value,
        vault,
      }),
    signOut: async () => {
      // First: the rest takes its time, and nothing may be rented meanwhile.
      await renting.autoRent.stopAll()
      await signOut({ key, vault, sshConfig: ssh.config })
      // Before its work on instances has ended, which takes its time: no rule may say that it acts, and cannot.
      lifetime.stop()
    },
    refresh: () => ssh.access.refresh(),
    wake: () => lifetime.wake(),
    dispose: () => lifetime.end(),
  }
}

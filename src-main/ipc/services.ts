import type { AccountLeaving, AccountsView, AccountWords } from '../domain/accounts/accounts.ts'
import type { Alarms } from '../domain/guards/alarms.ts'
import type { Errand } from '../domain/workbench/errand.ts'
import type { Farewell } from '../services/workbench/farewell.ts'
import type { KeychainState } from '../domain/vault/keychain-state.ts'
import type { Latest } from '../domain/base/latest.ts'
import type { InstancesList } from '../domain/instances/listed-instance.ts'
import type { BundledPackage, LicenseList } from '../domain/diagnostics/licenses.ts'
import type { Log } from '../domain/base/log.ts'
import type { Offer, OfferQuery } from '../domain/offers/offer.ts'
import type { ProxyLogin, ProxyQuestion } from '../domain/workbench/proxy-login.ts'
import type { Preferences, PreferencesChange } from '../domain/settings/settings.ts'
import type {
  RentDraft,
  RentOptions,
  RentPreview,
  RentRequest,
  RentResult,
} from '../domain/renting/rent-request.ts'
import type { ChainOrder, Chains } from '../services/renting/chains.ts'
import type { GuardBook } from '../services/guards/guard-book.ts'
import type { Notifier } from '../services/notifications/notifier.ts'
import type { InstanceActions } from '../services/instances/actions.ts'
import type { ActivityLog } from '../services/instances/activity.ts'
import type { ExternalPrograms, InstanceLinks } from '../services/instances/links.ts'
import type { OwnWordsBook } from '../services/instances/own-words.ts'
import type { InstanceWatch } from '../services/instances/watch.ts'
import type { Cloud } from '../services/cloud/cloud.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import type { KeyHealthDesk } from '../services/accounts/key-permissions.ts'
import type { SshAccessWatch } from '../services/ssh/keys/access.ts'
import type { Connections } from '../services/ssh/connection/connections.ts'
import type { Forwards } from '../services/forwards/forwards.ts'
import type { Security } from '../services/two-factor/security.ts'
import type { Runs } from '../services/runs/runs.ts'
import type { Snippets } from '../services/runs/snippets.ts'
import type { InstanceWays } from '../services/ssh/connection/instance-ways.ts'
import type { KnownHostsImport } from '../services/ssh/known-hosts/known-hosts-import.ts'
import type { SshConfig } from '../services/ssh/config/ssh-config.ts'
import type { Files } from '../services/files/files.ts'
import type { Terminals } from '../services/terminals/terminals.ts'
import type { StorageNotice } from '../services/storage/json-file.ts'
import type { FrameDeskFile } from '../services/workbench/frame-desk.ts'
import type { OfferListsFile } from '../services/offers/offer-lists.ts'
import type { SettingsTransfer } from '../services/settings/settings-transfer.ts'
import type { TerminalDesks } from '../services/terminals/terminal-desks.ts'
import type { SecretScreen } from '../services/vault/secret-screen.ts'
import type { Updates } from '../services/updates/updates.ts'
import type { VaultDesk } from '../services/vault/vault-desk.ts'
import type { VaultTransfer } from '../services/vault/vault-transfer.ts'
import type { Vault } from '../services/vault/vault.ts'
import type { DiagnosticsDesk } from './diagnostics-services.ts'
import type { TemplateServices } from './template-services.ts'

/** What the router serves; app/ puts it together. */
export interface Services {
  readonly account: Pick<ConnectedAccount, 'state' | 'replaceKey' | 'check'> & {
    /** It may come to be another account, with a page of its own. */
    readonly connect: (request: {
      readonly serviceAddress: string
      readonly apiKey: string
      readonly keepIn: 'keychain' | 'memory'
    }) => Promise<void>
  }
  readonly accounts: {
    readonly watch: (signal?: AbortSignal) => AsyncGenerator<AccountsView, void, void>
    readonly show: (id: string) => void
    /** Brings the account's page to the front, and to one of its instances. */
    readonly openInstance: (account: string, id: number) => void
    readonly add: () => void
    readonly describe: (id: string, words: AccountWords) => Promise<void>
    readonly leaving: () => AccountLeaving
    readonly signOut: () => Promise<void>
  }
  readonly keyHealth: KeyHealthDesk
  readonly keychain: {
    readonly state: Pick<Latest<KeychainState>, 'watch'>
    readonly check: () => Promise<KeychainState>
  }
  readonly sshAccess: Pick<
    SshAccessWatch,
    | 'state'
    | 'createKey'
    | 'addIdentityFile'
    | 'removeIdentityFile'
    | 'forgetPassphrase'
    | 'forgetHostPassword'
    | 'refresh'
  >
  readonly sshConfig: Pick<SshConfig, 'state' | 'setIncluded'>
  readonly knownHosts: KnownHostsImport
  readonly offers: {
    readonly search: (query: OfferQuery, signal?: AbortSignal) => Promise<Offer[]>
    readonly lists: OfferListsFile
  }
  readonly instances: {
    readonly list: Pick<Latest<InstancesList>, 'watch'>
    readonly watch: Pick<InstanceWatch, 'refresh'>
    readonly activity: Pick<ActivityLog, 'entries'>
    readonly own: Pick<OwnWordsBook, 'write'>
    readonly links: InstanceLinks
    readonly actions: InstanceActions
    readonly rent: (request: RentRequest) => Promise<RentResult>
    readonly forgetAction: (id: number) => Promise<void>
    readonly dismissNotice: (id: string) => Promise<void>
  }
  readonly templates: TemplateServices
  readonly cloud: Cloud
  readonly renting: { readonly preview: (draft: RentDraft) => RentPreview }
  readonly chains: Pick<Chains, 'state' | 'stop' | 'dismiss'> & {
    readonly begin: (order: Omit<ChainOrder, 'body'> & { readonly options: RentOptions }) => Promise<void>
  }
  readonly guards: {
    readonly book: Pick<GuardBook, 'state' | 'set' | 'remove' | 'postpone' | 'dismiss'>
    readonly alarms: Pick<Latest<Alarms>, 'watch'>
  }
  readonly notifications: Pick<Notifier, 'opened'>
  readonly connections: Pick<
    Connections,
    'list' | 'answerHostKey' | 'answerPassphrase' | 'answerLogin' | 'forgetHostKey' | 'dismiss' | 'stopTrying'
  > & { readonly ways: Pick<InstanceWays, 'watch' | 'choose'> }
  readonly forwards: Pick<
    Forwards,
    'state' | 'add' | 'change' | 'start' | 'stop' | 'remove' | 'openInBrowser'
  >
  readonly files: Pick<Files, 'browser' | 'transfers' | 'choose'>
  readonly terminals: Terminals &
    Pick<ExternalPrograms, 'openPlainLink'> & {
      readonly desks: Pick<TerminalDesks, 'read' | 'keep' | 'readScreen' | 'keepScreen'>
    }
  readonly security: Pick<
    Security,
    | 'state'
    | 'refresh'
    | 'begin'
    | 'resumeSaving'
    | 'procedure'
    | 'cancel'
    | 'updateMethod'
    | 'endSession'
    | 'allowSms'
    | 'dismissUnfinished'
  >
  readonly runs: Pick<Runs, 'state' | 'start' | 'again' | 'stop' | 'watchOutput' | 'text' | 'save'>
  readonly snippets: Snippets
  readonly settings: {
    readonly preferences: Pick<Latest<Preferences>, 'watch'>
    readonly update: (change: Omit<PreferencesChange, 'identityFiles'>) => Promise<void>
    readonly transfer: Pick<SettingsTransfer, 'save' | 'preview' | 'apply'>
    readonly notices: (signal?: AbortSignal) => AsyncGenerator<readonly StorageNotice[], void, void>
    readonly about: {
      readonly version: string
      readonly isDevelopment: boolean
      readonly electron: string
      readonly platform: string
      readonly userData: string
      readonly logFile: string
      readonly isSandboxOff: boolean
    }
  }
  readonly proxy: {
    readonly watch: Latest<ProxyQuestion | null>['watch']
    readonly logIn: (questionId: number, login: ProxyLogin) => void
  }
  readonly updates: Pick<
    Updates,
    'state' | 'look' | 'download' | 'install' | 'notInstalled' | 'forgetNotInstalled'
  >
  readonly diagnostics: DiagnosticsDesk
  readonly licenses: {
    readonly list: () => Promise<LicenseList>
    readonly text: (wanted: Pick<BundledPackage, 'name' | 'version'>) => Promise<string>
    readonly showChromiumFile: () => Promise<void>
  }
  readonly authenticator: {
    readonly vault: Pick<Vault, 'totp' | 'backupCodes'>
    readonly desk: Omit<VaultDesk, 'follow'>
    readonly screen: Pick<SecretScreen, 'watch' | 'hide' | 'show'>
    readonly transfer: VaultTransfer
  }
  readonly frame: {
    readonly errands: (signal?: AbortSignal) => AsyncGenerator<Errand, void, void>
    readonly visibility: (signal?: AbortSignal) => AsyncGenerator<boolean, void, void>
    readonly farewell: Farewell['watch']
  } & Pick<FrameDeskFile, 'recents' | 'noteRecent' | 'keepPage'>
  readonly now: () => number
  readonly log: Log
}

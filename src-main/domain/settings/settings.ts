import { z } from 'zod'
import { formatLocales } from '../base/format-locale.ts'
import { columnsView, defaultColumnsView } from '../fields/columns-view.ts'
import { defaultFileView, fileView } from '../files/file-places.ts'
import { defaultFirstSteps, firstStepsPreference } from '../workbench/first-steps.ts'
import { defaultNotificationSettings, notificationSettings } from './notification-settings.ts'
import { defaultOfferView, offerView } from '../offers/offer-view.ts'
import { defaultOfferQuery, offerQuery } from '../offers/offer.ts'
import { defaultRestingPauseSeconds, restingPauseSeconds } from '../instances/list-pauses.ts'
import { jumpHostsPreference } from '../ssh/ssh-choice.ts'
import { defaultTerminalSettings, terminalSettings } from '../terminals/terminal-settings.ts'

export const identityFilePath = z.string().min(1).max(4096)
/** Every key that a machine refuses counts as a failed login, of which it takes few. */
export const mostIdentityFiles = 10

const fields = {
  theme: z.enum(['system', 'dark', 'light']),
  /** `reduced`: nothing moves, also where the system does not ask for that. */
  motion: z.enum(['system', 'reduced']),
  /** What numbers and dates are written like. */
  formatLocale: z.enum(['system', ...formatLocales]),
  /** User name for SSH. */
  sshUser: z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/),
  /** Whether logins go by what `~/.ssh/config` says about a machine. */
  readSshConfig: z.boolean(),
  /** Jump hosts on the way to every instance, as for `ssh -J`; empty for none. They count before `~/.ssh/config`. */
  jumpHosts: jumpHostsPreference,
  /** Private key files to log in with, in this order. */
  identityFiles: z.array(identityFilePath).max(mostIdentityFiles).readonly(),
  /** The last search, offered again at the next start. */
  lastOfferQuery: offerQuery,
  offerView,
  /** How the templates are looked at. */
  templateView: columnsView,
  /** How the instances are looked at. */
  instanceView: columnsView,
  /** How the folders on the page of files are looked at. */
  fileView,
  /** The program of this computer that edits files of instances, as the system's dialog named it; `null` for none. */
  ownEditor: z.string().min(1).max(4096).nullable(),
  /** Whether Slipway connects to all running instances for their figures. */
  showsAllFigures: z.boolean(),
  notifications: notificationSettings,
  terminals: terminalSettings,
  /** Secrets leave the screen when nobody has touched the computer for so long. */
  hideSecretsAfterMinutes: z.number().int().min(1).max(60),
  /** Pause between two lists of instances while none is shown or changing, in seconds. */
  restingPauseSeconds,
  /** Whether an instance that is rented here gets a rule to stop itself when it idles. */
  stopsNewWhenIdle: z.boolean(),
  /** After how long it then does, in minutes. */
  newIdleMinutes: z.number().int().min(5).max(1440),
  /** Whether the window begins where it was left. */
  restorePage: z.boolean(),
  /** Whether an icon among the system's shows what is spent. */
  tray: z.boolean(),
  /** Whether closing the window leaves Slipway in the tray while auto-stop rules are set, or auto-retry or auto-rent is on. */
  keepInTray: z.boolean(),
  /** How far a newcomer has come, and whether that is shown. */
  firstSteps: firstStepsPreference,
  /** Notices about files that the user dismissed, the newest last. */
  dismissedNotices: z.array(z.string()).readonly(),
  /** Looks for a new version of Slipway once a day. Off until the user wants it. */
  looksForUpdates: z.boolean(),
  /** Whether new versions may be pre-releases. */
  getsPrereleases: z.boolean(),
}

/** Preferences without secrets. Every field has a default, which one that an older Slipway did not have yet begins with. */
export const preferences = z.object({
  theme: fields.theme.default('system'),
  motion: fields.motion.default('system'),
  formatLocale: fields.formatLocale.default('system'),
  sshUser: fields.sshUser.default('root'),
  readSshConfig: fields.readSshConfig.default(true),
  jumpHosts: fields.jumpHosts.default(''),
  identityFiles: fields.identityFiles.default([]),
  lastOfferQuery: fields.lastOfferQuery.default(defaultOfferQuery),
  offerView: fields.offerView.default(defaultOfferView),
  templateView: fields.templateView.default(defaultColumnsView),
  instanceView: fields.instanceView.default(defaultColumnsView),
  fileView: fields.fileView.default(defaultFileView),
  ownEditor: fields.ownEditor.default(null),
  showsAllFigures: fields.showsAllFigures.default(false),
  notifications: fields.notifications.default(defaultNotificationSettings),
  terminals: fields.terminals.default(defaultTerminalSettings),
  hideSecretsAfterMinutes: fields.hideSecretsAfterMinutes.default(5),
  restingPauseSeconds: fields.restingPauseSeconds.default(defaultRestingPauseSeconds),
  stopsNewWhenIdle: fields.stopsNewWhenIdle.default(false),
  newIdleMinutes: fields.newIdleMinutes.default(60),
  restorePage: fields.restorePage.default(true),
  tray: fields.tray.default(true),
  keepInTray: fields.keepInTray.default(false),
  firstSteps: fields.firstSteps.default(defaultFirstSteps),
  dismissedNotices: fields.dismissedNotices.default([]),
  looksForUpdates: fields.looksForUpdates.default(false),
  getsPrereleases: fields.getsPrereleases.default(false),
})
export type Preferences = z.infer<typeof preferences>

/** A change of some preferences; what it does not name stays (so: no defaults here). */
export const preferencesChange = z.object(fields).partial()
export type PreferencesChange = z.infer<typeof preferencesChange>

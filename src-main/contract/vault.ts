import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { problem } from '../domain/base/problem.ts'
import { keychainState } from '../domain/vault/keychain-state.ts'
import { otpParameters } from '../domain/vault/otp.ts'
import { importSource, leftOutReason, longestImport } from '../domain/vault/vault-import.ts'
import {
  backupCode,
  backupCodeState,
  hiddenBy,
  keptIn,
  savedBy,
  screenState,
  vaultCodes,
  vaultView,
} from '../domain/vault/vault-view.ts'
import { nothing, procedure } from './base.ts'

const one = z.object({ id: z.string().min(1).max(64) })
const ofInstance = z.object({ instanceId: z.number().int() })
const oneCode = one.extend({ position: z.number().int().min(0).max(99) })
const name = z.string().trim().max(200)
const passphrase = z.string().max(1000)
/** What a person reads out, types or picks from a file; the vault itself is far smaller. */
const text = z.string().max(1_000_000)

/** Where what was added is kept: `memory` only if that was asked for, or there is no keychain. */
const added = z.object({ id: z.string(), keptIn })

/**
 * The end of what was shown: the time was over, or secrets were hidden. The window drops what it holds of it. The
 * call ends after it.
 */
const ended = z.object({ kind: z.literal('ended'), by: z.enum(['time', ...hiddenBy.options]) })

/** The secret of one entry. Leaving the iterator ends the showing. */
const revealedEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shown'),
    /** Base32, in groups of four for reading. */
    key: z.string(),
    /** The otpauth URI as a QR code: an SVG picture as a `data:` address. */
    picture: z.string(),
    endsAtMs: z.number(),
  }),
  ended,
])

const revealedCodes = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shown'), codes: z.array(backupCode).readonly(), endsAtMs: z.number() }),
  ended,
])

const revealedKey = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shown'), key: z.string(), endsAtMs: z.number() }),
  ended,
])

/** What an import did. */
const imported = z.object({
  source: importSource,
  added: z.number().int(),
  backupSets: z.number().int(),
  /** By reason, with the names of the first few. */
  leftOut: z
    .array(
      z.object({
        why: leftOutReason,
        count: z.number().int(),
        /** Of one without a name its line helps; `null` where there are no lines. */
        entries: z.array(z.object({ name: z.string(), line: z.number().int().nullable() })).readonly(),
      }),
    )
    .readonly(),
  /** QR codes, counted from 1, of an export of several that weren't among those that were given. */
  missingParts: z.array(z.object({ part: z.number().int(), of: z.number().int() })).readonly(),
  /** What kept the rest from being added, of so many one-time passwords in all. What was added stays. */
  stopped: z.object({ problem, of: z.number().int() }).nullable(),
})

/** `null`: the user chose no file. */
const written = z
  .object({
    path: z.string(),
    entries: z.number().int(),
    backupSets: z.number().int(),
    /** Names of what is missing from the keychain, so that it could not be written. */
    missing: z.array(z.string()).readonly(),
  })
  .nullable()

/**
 * One-time passwords, backup codes and what keeps them safe. Secrets go in; codes come out, and a secret only by
 * `revealEntry`, `revealBackupCodes`, and `revealInstanceKey`, for a limited time.
 *
 * Calls that read or write a secret fail with `keychain-locked`, `keychain-unavailable` or `secret-missing`.
 */
export const vault = {
  watch: procedure.output(eventIterator(vaultView)),
  /** One push per step, not per second. While it is watched, the window is kept out of screenshots. */
  watchCodes: procedure.output(eventIterator(vaultCodes)),
  /**
   * To be held while the window shows any other secret (a new secret, new backup codes): it keeps the window out
   * of screenshots, and tells when they must go.
   */
  watchScreen: procedure.output(eventIterator(screenState)),
  /** Hides all secrets, in every view. */
  hide: procedure.output(nothing),
  /** Shows them again after they were hidden. */
  show: procedure.output(nothing),

  /** An otpauth URI, as text or read from a picture. `invalid-input` says what is wrong with it. */
  addUri: procedure.input(z.object({ uri: z.string().max(4096), keepIn: keptIn })).output(added),
  /** A key typed by hand: base32, with or without spaces and dashes. */
  addKey: procedure
    .input(
      z.object({
        issuer: name,
        label: name,
        key: z.string().max(1000),
        parameters: otpParameters,
        keepIn: keptIn,
      }),
    )
    .output(added),
  renameEntry: procedure.input(one.extend({ issuer: name, label: name })).output(nothing),
  /** For good. An entry whose method may still be at the service goes only with `evenIfActive`. */
  removeEntry: procedure.input(one.extend({ evenIfActive: z.boolean() })).output(nothing),
  /** Moves what is in memory only to the keychain, once there is one that opens. */
  keepEntry: procedure.input(one).output(nothing),
  /** Puts the code of now into the clipboard, and says when it is cleared from there. */
  copyCode: procedure.input(one).output(z.object({ clearsAtMs: z.number(), codeEndsAtMs: z.number() })),
  /** For 60 s. */
  revealEntry: procedure.input(one).output(eventIterator(revealedEntry)),

  /** Codes that the user has from elsewhere, for the page's account; one per line or with spaces between. */
  addBackupCodes: procedure.input(z.object({ text: z.string().max(10_000), keepIn: keptIn })).output(added),
  revealBackupCodes: procedure.input(one).output(eventIterator(revealedCodes)),
  copyBackupCode: procedure.input(oneCode).output(z.object({ clearsAtMs: z.number() })),
  /** All that are not used, one per line. It counts as saved by `copy`. */
  copyBackupCodes: procedure.input(one).output(z.object({ clearsAtMs: z.number() })),
  /** As a text file of the user's choice, in plain text. It counts as saved by `file`. */
  saveBackupCodes: procedure.input(one).output(z.object({ path: z.string() }).nullable()),
  /** The user says so, for instance after having used one elsewhere. */
  markBackupCode: procedure.input(oneCode.extend({ state: backupCodeState })).output(nothing),
  /** Printing is the window's; declining is the user's word. */
  markBackupCodesSaved: procedure.input(one.extend({ by: savedBy })).output(nothing),
  keepBackupCodes: procedure.input(one).output(nothing),
  removeBackupCodes: procedure.input(one).output(nothing),

  /** The own key of an instance of the page's account, for 60 s. */
  revealInstanceKey: procedure.input(ofInstance).output(eventIterator(revealedKey)),
  copyInstanceKey: procedure.input(ofInstance).output(z.object({ clearsAtMs: z.number() })),
  /** One that could not be saved when its instance was rented: the page has it, and the vault doesn't. */
  copyUnsavedKey: procedure
    .input(z.object({ key: z.string().min(1).max(10_000) }))
    .output(z.object({ clearsAtMs: z.number() })),
  /** From this computer. The service and the instance keep it. */
  removeInstanceKey: procedure.input(ofInstance).output(nothing),

  /**
   * All entries and backup codes in a file of the user's choice, encrypted with the passphrase; what was written
   * is read again and decrypted before this resolves. Nothing is left behind when that fails.
   */
  exportEncrypted: procedure.input(z.object({ passphrase })).output(written),
  /** All entries as otpauth URIs in plain text, one per line, for other authenticators. */
  exportPlain: procedure.output(written),
  /** Whether an encrypted export opens with the passphrase, and what of the vault it lacks. Nothing is changed. */
  testExport: procedure.input(z.object({ text, passphrase })).output(
    z.object({
      madeAtMs: z.number(),
      entries: z.number().int(),
      backupSets: z.number().int(),
      /** Names of entries of the vault that it does not hold. */
      lacks: z.array(z.string()).readonly(),
    }),
  ),
  /**
   * The text of an export of Slipway or of another authenticator, with the password that it's encrypted with. What is in
   * the vault already is not added again; what can't be added is named, and the rest is taken.
   */
  importText: procedure
    .input(
      z.object({ text: z.string().max(longestImport), passphrase: passphrase.nullable(), keepIn: keptIn }),
    )
    .output(imported),
  keychain: {
    watch: procedure.output(eventIterator(keychainState)),
    /** Looks again, after the user has unlocked or started it. */
    check: procedure.output(nothing),
  },
}

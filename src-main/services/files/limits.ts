/**
 * What a server may make Slipway hold and show of its files. Each is far above any real file system's, and small enough
 * that no server fills main's memory or the window with it.
 */

/** The longest name that a file system takes (POSIX's NAME_MAX). */
export const longestNameBytes = 255

/** The longest path that a system takes (Linux's PATH_MAX). */
export const longestPathBytes = 4_096

/** Entries of one folder: a server may go on listing for ever. */
export const mostEntries = 200_000

/** Names of one folder, as they come: 200,000 of 160 bytes. An answer alone may bring 256 KiB of them. */
export const mostListedBytes = 32 * 1024 * 1024

/** What an answer without any names counts for as well: some servers give one, and a thousand have no end. */
export const emptyAnswerBytes = 32 * 1024

/**
 * Entries that are shown of a folder: a set of training data has ten thousands. So many take some 5 MB on their way to the
 * window, which sorts them within a frame or two.
 */
export const mostShownEntries = 50_000

/** Of a server's line about an entry, how much is looked at for the owner. */
export const longestOwnerLine = 160

/** The name of a user or group. */
export const longestOwnerName = 32

/** Files and folders that are counted of one folder, and for how long: more are told as "at least". */
export const mostCounted = 1_000_000
export const longestCountMs = 120_000

/** Files and folders of one transfer. */
export const mostPlanned = 1_000_000

/** Paths of one transfer, in characters, with {@link entryCost} for each: a million of 120 on both sides. */
export const mostPlannedCharacters = 256 * 1024 * 1024

/** What an entry takes besides its name and paths. */
export const entryCost = 16

/** Folders in folders: a file system mounted in itself, or a server that makes folders up, has no end. */
export const deepestFolder = 100

/** Entries left out, and files asked about, that are named to the window four times a second. */
export const mostNamed = 100

/** Of each of those: its beginning and its end. */
export const longestNamedPath = 300

/** A server's own words about an error. */
export const longestDetail = 300

/** A handle of a file (draft-ietf-secsh-filexfer-02 section 6.3). */
export const longestHandleBytes = 256

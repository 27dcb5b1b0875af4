/** A word that is wrong wherever a user meets it, and the word to use. */
interface ForbiddenWord {
  /** Whole words, in any case; a space is any white space. */
  readonly pattern: string
  readonly say: string
  /** Where it's wrong, if not everywhere. */
  readonly within?: RegExp
}

/** Of main only what native menus, dialogs, and notifications show: its other sentences are for the log. */
const windowAndPages =
  /^src-(?:renderer|main\/domain)\/|^src-main\/(?:index|desktop\/(?:app-dependencies|context-menu|menu|start-failure|tray))\.ts$|\.md$/

const terms: readonly ForbiddenWord[] = [
  { pattern: 'second factors?', say: '“two-factor authentication”, then “2FA”' },
  { pattern: 'e-mail(?:s|ed)?', say: '“email”' },
  { pattern: 'web pages?|marketplaces?', say: '“web console”, or “the service”' },
  { pattern: 'wallets?|password services?', say: '“keychain”' },
  { pattern: 'recovery codes?', say: '“backup code”' },
  {
    pattern:
      'log(?:ged|ging)? in (?:as admin|with your (?:second factor|2FA|code)|to (?:your|the) (?:account|service))',
    say: '“sign in”: “log in” is for SSH',
  },
  { pattern: '(?:on|leaves|outside) this machine', say: '“this computer”' },
  { pattern: "(?<!host |host[’']s |public )key files?", say: '“identity file”' },
  { pattern: 'tunnels?', say: '“port forward”' },
  { pattern: 'guards?', say: '“auto-stop rule”' },
  { pattern: 'halt(?:s|ed)?', say: '“stop”' },
  { pattern: 'terminat(?:e|es|ed)', say: '“destroy”, or “end”' },
  { pattern: 'boot(?:s|ed|ing)?', say: '“start”, or “startup”' },
  { pattern: 'billed|(?:is|are) charged', say: '“you’re charged”' },
  { pattern: 'of the old kind', say: '“legacy”' },
]

const plainWords: readonly ForbiddenWord[] = [
  { pattern: 'anew|once more', say: '“again”, or “new”' },
  { pattern: 'nobody', say: '“no one”, or “you can’t”' },
  { pattern: 'lately', say: '“recently”, or “recent”' },
  { pattern: 'dearer', say: '“more expensive”' },
  { pattern: 'mend(?:s|ed|ing)?', say: '“fix”' },
  { pattern: 'half done', say: '“partial”, or “unfinished”' },
  { pattern: 'puts? away|lets? go', say: '“hide” for panels, “dismiss” for notices' },
  { pattern: 'take[sn]? off', say: '“remove”' },
  { pattern: 'looks? again', say: '“refresh” for lists, “check” for one fact' },
  { pattern: '(?:of|from|as) the last time', say: '“previous session”' },
  { pattern: 'next start', say: '“at startup”, or “when Slipway next starts”' },
  { pattern: '(?:for|in|of|during) this run', say: '“until you quit”, or “since Slipway started”' },
  { pattern: 'signs? of life', say: '“stopped responding”' },
  { pattern: '(?:files|lost|read) on (?:its|their) way', say: '“transfers”, or “never arrived”' },
  { pattern: 'all the same', say: '“anyway”' },
  { pattern: 'by hand', say: '“manually”' },
]

const spelling: readonly ForbiddenWord[] = [
  {
    pattern:
      '(?:colou|favou|behaviou|neighbou|honou)r\\w*|cancell(?:ed|ing)|labell(?:ed|ing)|licences?|catalogues?|grey|centre[sd]?|whilst',
    say: 'the American spelling',
  },
  {
    pattern:
      '(?:author|custom|initial|maxim|minim|optim|organ|recogn|summar|synchron)is(?:e|es|ed|ing|ation)|analys(?:e|ed|ing)',
    say: 'the American spelling, with a z',
  },
]

const contractions: readonly ForbiddenWord[] = [
  { pattern: 'cannot|can not', say: '“can’t”', within: windowAndPages },
  {
    pattern: '(?:do|does|did|is|are|was|were|has|have|had|would|should|could) not',
    say: 'the contraction, such as “doesn’t”',
    within: windowAndPages,
  },
]

export const forbiddenWords: readonly ForbiddenWord[] = [
  ...terms,
  ...plainWords,
  ...spelling,
  ...contractions,
]

/** Where a forbidden word is right. */
export const exceptions: readonly {
  readonly file: string
  readonly word: string
  readonly reason: string
}[] = [
  {
    file: 'src-main/domain/renting/onstart.ts',
    word: 'could not',
    reason: 'a shell script’s own word, between apostrophes',
  },
]

/** Texts in somebody else's words. */
export const notOurs: readonly { readonly file: string; readonly reason: string }[] = [
  { file: 'docs/service-api.md', reason: 'the service’s own document, in its words' },
]

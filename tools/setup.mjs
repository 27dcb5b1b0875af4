// Makes a fresh clone ready: `node tools/setup.mjs --for=build|start|test|demo`. It runs before anything is
// installed, so it is plain Node without dependencies, and on the oldest Node that package.json names.
import { fetchElectron } from './setup/electron.mjs'
import { installNpmPackages } from './setup/npm-packages.mjs'
import { installSystemPackages } from './setup/system-packages.mjs'

const oldestNode = [20, 19]
const purposes = ['build', 'start', 'test', 'demo']

/** A reason to stop that the reader can act on; shown without a stack. */
class SetupError extends Error {}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = oldestNode
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new SetupError(
    `Slipway needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`,
  )
}

function purposeOf(args) {
  const purpose = args.find((arg) => arg.startsWith('--for='))?.slice('--for='.length) ?? 'build'
  if (purposes.includes(purpose)) return purpose
  throw new SetupError(`--for=${purpose} is not known; it is one of ${purposes.join(', ')}.`)
}

try {
  checkNode()
  const purpose = purposeOf(process.argv.slice(2))
  const say = (line) => console.log(`setup: ${line}`)
  const fail = (message) => new SetupError(message)
  await installNpmPackages({ say, fail })
  if (purpose === 'start') fetchElectron({ say })
  installSystemPackages({ purpose, say, fail })
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`setup: ${error.message}`)
  process.exitCode = 1
}

import { implement } from '@orpc/server'
import { ssh as contract } from '../../contract/ssh.ts'
import type { SshService } from '../../services/ssh/open-ssh.ts'

const os = implement(contract)

/** The calls of `contract/ssh.ts`, answered by the service. */
export function sshRouter({ access, config, connections, knownHosts, routes }: SshService) {
  return os.router({
    connections: {
      watch: os.connections.watch.handler(({ signal }) => connections.list.watch(signal)),
      answerHostKey: os.connections.answerHostKey.handler(({ input }) =>
        connections.answerHostKey(input.instanceId, input.trust, input.fingerprint),
      ),
      answerPassphrase: os.connections.answerPassphrase.handler(({ input }) =>
        connections.answerPassphrase(input.instanceId, input.path, input.answer),
      ),
      answerLogin: os.connections.answerLogin.handler(({ input }) =>
        connections.answerLogin(input.instanceId, input.questionId, input.answer),
      ),
      forgetHostKey: os.connections.forgetHostKey.handler(({ input }) =>
        connections.forgetHostKey(input.instanceId),
      ),
      dismiss: os.connections.dismiss.handler(({ input }) => connections.dismiss(input.instanceId)),
      stopTrying: os.connections.stopTrying.handler(({ input }) => connections.stopTrying(input.instanceId)),
      watchRoute: os.connections.watchRoute.handler(({ input, signal }) =>
        routes.watch(input.instanceId, signal),
      ),
      watchAddressHints: os.connections.watchAddressHints.handler(({ signal }) => routes.watchHints(signal)),
      choose: os.connections.choose.handler(({ input }) => routes.choose(input.instanceId, input.choice)),
    },
    keys: {
      watch: os.keys.watch.handler(({ signal }) => access.state.watch(signal)),
      create: os.keys.create.handler(() => access.createKey()),
      addIdentityFile: os.keys.addIdentityFile.handler(({ input }) => access.addIdentityFile(input.path)),
      removeIdentityFile: os.keys.removeIdentityFile.handler(({ input }) =>
        access.removeIdentityFile(input.path),
      ),
      forgetPassphrase: os.keys.forgetPassphrase.handler(({ input }) => access.forgetPassphrase(input.path)),
      forgetHostPassword: os.keys.forgetHostPassword.handler(({ input }) => access.forgetHostPassword(input)),
      refresh: os.keys.refresh.handler(() => access.refresh()),
    },
    config: {
      watch: os.config.watch.handler(({ signal }) => config.state.watch(signal)),
      setIncluded: os.config.setIncluded.handler(({ input }) => config.setIncluded(input.included)),
    },
    knownHosts: {
      preview: os.knownHosts.preview.handler(() => knownHosts.preview()),
      take: os.knownHosts.take.handler(({ input }) => knownHosts.take(input.digest)),
    },
  })
}

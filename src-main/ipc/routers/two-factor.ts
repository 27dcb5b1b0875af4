import { implement } from '@orpc/server'
import { twoFactor as contract } from '../../contract/two-factor.ts'
import type { SignedOutLogin } from '../../services/two-factor/signed-out-login.ts'
import type { TwoFactor } from '../../services/two-factor/two-factor.ts'

const os = implement(contract)

/** The calls of `contract/two-factor.ts`, answered by the service. */
export function twoFactorRouter(twoFactor: TwoFactor, signedOut: SignedOutLogin) {
  return os.router({
    watch: os.watch.handler(({ signal }) => twoFactor.state.watch(signal)),
    refresh: os.refresh.handler(() => twoFactor.refresh()),
    begin: os.begin.handler(({ input }) => twoFactor.begin(input.goal, input.keepIn)),
    cancel: os.cancel.handler(({ input }) => twoFactor.cancel(input.flowId)),
    cancelRetry: os.cancelRetry.handler(({ input }) => twoFactor.guidedFlow(input.flowId).run.cancelWait()),
    proceed: os.proceed.handler(({ input }) => twoFactor.guidedFlow(input.flowId).proceed(input.words)),
    choose: os.choose.handler(({ input }) =>
      twoFactor.guidedFlow(input.flowId).verifier.choose(input.choiceId),
    ),
    setNumber: os.setNumber.handler(({ input }) => ({
      isAccepted: twoFactor.guidedFlow(input.flowId).sender.setNumber(input.phoneNumber),
    })),
    send: os.send.handler(({ input }) => twoFactor.guidedFlow(input.flowId).sender.send()),
    submit: os.submit.handler(({ input }) =>
      twoFactor.guidedFlow(input.flowId).verifier.submit(input.code, input.anyway),
    ),
    submitStored: os.submitStored.handler(({ input }) =>
      twoFactor.guidedFlow(input.flowId).verifier.submitStored(),
    ),
    enrolment: os.enrolment.handler(({ input }) => twoFactor.guidedFlow(input.flowId).enrollment.secret()),
    confirm: os.confirm.handler(({ input }) =>
      twoFactor.guidedFlow(input.flowId).enrollment.confirm(input.code, input.label, input.anyway),
    ),
    newCodes: os.newCodes.handler(({ input }) => ({
      codes: twoFactor.guidedFlow(input.flowId).gate.codes(),
    })),
    finishSaving: os.finishSaving.handler(({ input }) =>
      twoFactor.guidedFlow(input.flowId).gate.finish(input.words),
    ),
    resumeSaving: os.resumeSaving.handler(() => twoFactor.resumeSaving()),
    updateMethod: os.updateMethod.handler(({ input: { methodId, ...change } }) =>
      twoFactor.updateMethod(methodId, change),
    ),
    chooseBearer: os.chooseBearer.handler(({ input }) => twoFactor.chooseBearer(input.bearer)),
    endSession: os.endSession.handler(() => twoFactor.endSession()),
    allowSms: os.allowSms.handler(() => twoFactor.allowSms()),
    dismissUnfinished: os.dismissUnfinished.handler(({ input }) => twoFactor.dismissUnfinished(input.id)),
    signedOut: {
      watch: os.signedOut.watch.handler(({ signal }) => signedOut.watch(signal)),
      begin: os.signedOut.begin.handler(({ input }) => signedOut.begin(input)),
      send: os.signedOut.send.handler(({ input }) => signedOut.send(input)),
      submit: os.signedOut.submit.handler(({ input }) => signedOut.submit(input)),
      end: os.signedOut.end.handler(() => signedOut.end()),
    },
  })
}

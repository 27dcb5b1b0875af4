import { implement } from '@orpc/server'
import { twoFactor as contract } from '../../contract/two-factor.ts'
import type { Security } from '../../services/two-factor/security.ts'

const os = implement(contract)

/** The calls of `contract/two-factor.ts`, answered by the service. */
export function twoFactorRouter(security: Security) {
  return os.router({
    watch: os.watch.handler(({ signal }) => security.state.watch(signal)),
    refresh: os.refresh.handler(() => security.refresh()),
    begin: os.begin.handler(({ input }) => security.begin(input.goal, input.keepIn)),
    cancel: os.cancel.handler(({ input }) => security.cancel(input.flowId)),
    cancelRetry: os.cancelRetry.handler(({ input }) => security.procedure(input.flowId).run.cancelWait()),
    proceed: os.proceed.handler(({ input }) => security.procedure(input.flowId).proceed(input.words)),
    choose: os.choose.handler(({ input }) =>
      security.procedure(input.flowId).verifier.choose(input.choiceId),
    ),
    setNumber: os.setNumber.handler(({ input }) => ({
      isAccepted: security.procedure(input.flowId).sender.setNumber(input.phoneNumber),
    })),
    send: os.send.handler(({ input }) => security.procedure(input.flowId).sender.send()),
    submit: os.submit.handler(({ input }) => security.procedure(input.flowId).verifier.submit(input.code)),
    submitStored: os.submitStored.handler(({ input }) =>
      security.procedure(input.flowId).verifier.submitStored(),
    ),
    enrolment: os.enrolment.handler(({ input }) => security.procedure(input.flowId).enrolment.secret()),
    confirm: os.confirm.handler(({ input }) =>
      security.procedure(input.flowId).enrolment.confirm(input.code, input.label, input.anyway),
    ),
    newCodes: os.newCodes.handler(({ input }) => ({
      codes: security.procedure(input.flowId).gate.codes(),
    })),
    finishSaving: os.finishSaving.handler(({ input }) =>
      security.procedure(input.flowId).gate.finish(input.words),
    ),
    resumeSaving: os.resumeSaving.handler(() => security.resumeSaving()),
    updateMethod: os.updateMethod.handler(({ input: { methodId, ...change } }) =>
      security.updateMethod(methodId, change),
    ),
    endSession: os.endSession.handler(() => security.endSession()),
    allowSms: os.allowSms.handler(() => security.allowSms()),
    dismissUnfinished: os.dismissUnfinished.handler(({ input }) => security.dismissUnfinished(input.id)),
  })
}

import { implement } from '@orpc/server'
import { files as contract } from '../../contract/files.ts'
import type { FilesService } from '../../services/files/open-files.ts'

const os = implement(contract)

/** The calls of `contract/files.ts`, answered by the service. */
export function filesRouter(files: FilesService) {
  const { copies, opened, projects, unsaved } = files
  return os.router({
    listLocal: os.listLocal.handler(({ input }) => files.browser.listLocal(input)),
    listRemote: os.listRemote.handler(({ input }) => files.browser.listRemote(input.instanceId, input)),
    choose: os.choose.handler(({ input }) => files.choose(input.kind)),
    takeDropped: os.takeDropped.handler(({ input }) => files.dropped.take(input.at)),
    change: os.change.handler(({ input, signal }) => files.browser.change(input.place, input.change, signal)),
    measure: os.measure.handler(({ input, signal }) => files.browser.measure(input.place, input, signal)),
    watchPlaces: os.watchPlaces.handler(({ signal }) => files.places.state.watch(signal)),
    setBookmark: os.setBookmark.handler(({ input }) =>
      files.places.setBookmark(input.place, input.path, input.isOn),
    ),
    noteShown: os.noteShown.handler(({ input }) => files.places.noteShown(input.place, input.path)),
    watchTransfers: os.watchTransfers.handler(({ signal }) => files.transfers.state.watch(signal)),
    startTransfer: os.startTransfer.handler(({ input }) => files.transfers.start(input)),
    answerConflicts: os.answerConflicts.handler(({ input }) =>
      files.transfers.answer(input.id, input.choice),
    ),
    notifyWhenDone: os.notifyWhenDone.handler(({ input }) =>
      files.transfers.notifyWhenDone(input.id, input.isOn),
    ),
    cancelTransfer: os.cancelTransfer.handler(({ input }) => files.transfers.cancel(input.id)),
    retryTransfer: os.retryTransfer.handler(({ input }) => files.transfers.retry(input.id)),
    pauseTransfer: os.pauseTransfer.handler(({ input }) => files.transfers.pause(input.id)),
    resumeTransfer: os.resumeTransfer.handler(({ input }) => files.transfers.resumeOne(input.id)),
    pauseAllTransfers: os.pauseAllTransfers.handler(() => files.transfers.pauseAll()),
    resumeAllTransfers: os.resumeAllTransfers.handler(() => files.transfers.resumeAll()),
    moveTransfer: os.moveTransfer.handler(({ input }) => files.transfers.move(input.id, input.to)),
    chooseFolder: os.chooseFolder.handler(() => files.chooseFolder()),
    watchProjects: os.watchProjects.handler(({ signal }) => projects.state.watch(signal)),
    saveProject: os.saveProject.handler(({ input }) => projects.save(input)),
    removeProject: os.removeProject.handler(({ input }) => projects.remove(input.id)),
    reviewProject: os.reviewProject.handler(({ input, signal }) =>
      projects.review(input.id, signal ?? new AbortController().signal),
    ),
    pushProject: os.pushProject.handler(({ input }) => projects.push(input.id, input.answers)),
    cancelPush: os.cancelPush.handler(({ input }) => projects.cancel(input.id)),
    forgetTransfer: os.forgetTransfer.handler(({ input }) => files.transfers.forget(input.id)),
    open: os.open.handler(({ input }) => opened.open(input)),
    save: os.save.handler(({ input }) => opened.save(input)),
    followLog: os.followLog.handler(({ input, signal }) => opened.follow(input, signal)),
    readLog: os.readLog.handler(({ input }) => opened.readLog(input, input.from, input.bytes)),
    searchLog: os.searchLog.handler(({ input, signal }) =>
      opened.searchLog(input, input.text, input.from, signal),
    ),
    openInEditor: os.openInEditor.handler(({ input }) => copies.open(input)),
    chooseEditor: os.chooseEditor.handler(() => files.chooseEditor()),
    removeEditor: os.removeEditor.handler(() => files.removeEditor()),
    watchCopies: os.watchCopies.handler(({ signal }) => copies.latest.watch(signal)),
    readCopyConflict: os.readCopyConflict.handler(({ input }) => copies.conflict(input.id)),
    answerCopy: os.answerCopy.handler(({ input }) => copies.answer(input.id, input.answer)),
    stopCopy: os.stopCopy.handler(({ input }) => copies.stop(input.id, input.mayLose)),
    showCopy: os.showCopy.handler(({ input }) => copies.show(input.id)),
    watchUnsaved: os.watchUnsaved.handler(({ signal }) => unsaved.latest.watch(signal)),
    readUnsaved: os.readUnsaved.handler(({ input }) => unsaved.read(input)),
    keepUnsaved: os.keepUnsaved.handler(({ input: { over, ...text } }) => unsaved.keep(text, over)),
    discardUnsaved: os.discardUnsaved.handler(({ input }) => unsaved.discard(input, input.text)),
  })
}

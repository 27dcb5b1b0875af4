import { watch } from 'vue'
import { useRouter } from 'vue-router'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** Goes to the page of a notification of the desktop when it is clicked. */
export function useOpenedNotifications(): void {
  const router = useRouter()
  const { latest } = useWatch(client.notifications.opened)
  watch(latest, (opened) => {
    if (opened !== null) void router.push(opened.path)
  })
}

import { ref } from 'vue'

/** The column that is being dragged; the browser does not show other heads what comes before it is dropped. */
export const draggedColumn = ref<string | null>(null)

import { createStore } from '@privity/client/store'

/** Number of unread messages, shown before the title of the tab. */
export const titleCount = createStore(0)

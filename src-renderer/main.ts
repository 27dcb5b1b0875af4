import '#ipc/zod-without-eval.ts'
import './style.css'
import ui from '@nuxt/ui/vue-plugin'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { router } from './router.ts'

createApp(App).use(createPinia()).use(router).use(ui).mount('#app')

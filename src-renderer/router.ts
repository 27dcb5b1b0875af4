import { createRouter, createWebHashHistory } from 'vue-router'

/** Pages are loaded when they are first opened: the first screen stays small. */
export const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', redirect: '/offers' },
    { path: '/welcome', component: () => import('./features/account/FirstRunPage.vue') },
    { path: '/offers', component: () => import('./features/offers/OffersPage.vue') },
    { path: '/instances', component: () => import('./features/instances/InstancesPage.vue') },
    { path: '/terminals', component: () => import('./features/terminals/TerminalsPage.vue') },
    { path: '/settings', component: () => import('./features/settings/SettingsPage.vue') },
    { path: '/:rest(.*)*', redirect: '/offers' },
  ],
})

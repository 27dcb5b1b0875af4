/** How many templates fit side by side. */
export const mostComparedTemplates = 4

export const NO_STORE = 'no-store';

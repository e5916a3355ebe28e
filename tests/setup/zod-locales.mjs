// Replaces zod's fifty translations of its messages, which every test file would load; English is not one of them.
export {};

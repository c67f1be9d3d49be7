export { reproduce } from './reproduce.ts';

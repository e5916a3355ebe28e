import { endpoints } from '../../server/endpoints.js';
import { generateImage, getImage, getImageFile, pinImage, unpinImage } from './images.js';

export const imageRouter = endpoints(generateImage, getImage, getImageFile, pinImage, unpinImage);

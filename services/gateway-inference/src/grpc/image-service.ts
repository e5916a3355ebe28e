import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type GenerateImagesRequest, ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { generateImages } from '../operations/images/generate-images.js';
import { pinImage, readImage, readImageFile } from '../operations/images/stored-images.js';
import type { ImageCall, ImageTokens } from '../providers/contract/image-provider.js';
import type { Image } from '../store/images.js';

export function imageService(ctx: Context): Registration {
  return register(ImageService, {
    generateImages: (req, call) => makeImages(ctx, req, undefined, call),
    editImages: async (req, call) => {
      const { images, sources, mask } = req;
      if (!images || sources.length === 0) throw new AppError('INVALID_INPUT', 'an image to edit is required');
      return await makeImages(ctx, images, { sources, mask }, call);
    },
    getImage: async (req, call) => ({ image: toProto(await readImage(ctx, call.requirePrincipal(), req.id)) }),
    pinImage: async (req, call) => ({
      image: toProto(await pinImage(ctx, call.requirePrincipal(), req.id, req.pinned)),
    }),
    readImageFile: async (req) => {
      const { expiresAt, ...file } = await readImageFile(ctx, req.id, req.fileToken);
      return { ...file, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
    },
  });
}

async function makeImages(ctx: Context, req: GenerateImagesRequest, edited: ImageCall['edited'], call: Call) {
  const size = req.size || undefined;
  const { images, tokens } = await generateImages(ctx, { ...req, size, edited }, call);
  const data = images.map((image) => (req.isStored ? { ...image, bytes: new Uint8Array() } : image));
  return { model: req.modelName || req.modelId, data, ...(tokens && { tokens: toTokens(tokens) }) };
}

function toTokens({ inputTokens, outputTokens, inputTextTokens, inputImageTokens }: ImageTokens) {
  return {
    inputTokens: BigInt(inputTokens),
    outputTokens: BigInt(outputTokens),
    inputTextTokens: BigInt(inputTextTokens),
    inputImageTokens: BigInt(inputImageTokens),
  };
}

function toProto({ id, expiresAt, fileToken }: Image) {
  return { id, pinned: expiresAt === null, fileToken, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
}

/** Reads a file from the service and gives it to the browser to keep. */
import { ApiError, type Call, callFile, type Operation } from "../api/client.ts";
import { saveFile } from "./save-file.ts";

/** Resolves with the refusal, if it was refused. */
export async function saveReply<O extends Operation>(operation: O, options: Call<O>, name: string) {
  try {
    const file = await callFile(operation, options);
    saveFile(file.name ?? name, file.content);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

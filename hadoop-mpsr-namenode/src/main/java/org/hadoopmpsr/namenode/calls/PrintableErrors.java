/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import org.hadoopmpsr.core.text.PrintableText;

/**
 * Makes the messages of errors printable. Hadoop's server logs the errors of calls as they are, and whoever calls may
 * name a path that forges a line of that log.
 */
final class PrintableErrors {
    /** The end of a line in HDFS's own message. */
    private static final String SAFE_MODE = "Name node is in safe mode.";

    private PrintableErrors() {}

    /** The error if it can be printed; else one of that class with a message that can, and without causes. */
    static IOException of(IOException error) {
        if (isPlain(error)) {
            return error;
        }
        String printable = printable(String.valueOf(error.getMessage()));
        IOException copy;
        try {
            copy = error.getClass().getConstructor(String.class).newInstance(printable);
        } catch (ReflectiveOperationException e) {
            copy = new IOException(printable);
        }
        copy.setStackTrace(error.getStackTrace());
        return copy;
    }

    private static boolean isPlain(Throwable error) {
        for (Throwable at = error; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (!printable(message).equals(message)) {
                return false;
            }
        }
        return true;
    }

    private static String printable(String message) {
        return PrintableText.ofMessage(message.replace(SAFE_MODE + "\n", SAFE_MODE + " "));
    }
}

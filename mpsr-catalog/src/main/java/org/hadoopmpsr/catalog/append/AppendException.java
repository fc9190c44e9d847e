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
package org.hadoopmpsr.catalog.append;

import org.jspecify.annotations.Nullable;

/** An append that is not there, or of which nobody knows whether it is. */
public final class AppendException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What a client can do about it. */
    public enum Kind {
        /** This catalog does not do such a thing. Nothing is appended. */
        UNSUPPORTED,
        /** The files or the request are wrong. Nothing is appended. */
        WRONG,
        /** Nothing is appended, and the same append may be when it is tried again. */
        AGAIN,
        /** Nobody knows whether the records are appended. */
        UNKNOWN
    }

    private final Kind kind;

    /** @param message problem, value, cause and fix */
    public AppendException(Kind kind, @Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    static AppendException wrong(String message) {
        return new AppendException(Kind.WRONG, message, null);
    }

    static AppendException unsupported(String message) {
        return new AppendException(
                Kind.UNSUPPORTED,
                message
                        + ". Iceberg's clients append records to a dataset, and do nothing else to it; 'hdfs mpsr dataset' alters, deletes and"
                        + " rolls back, and Spark with MPSR's extension overwrites",
                null);
    }

    /** What a client can do about it. */
    public Kind kind() {
        return kind;
    }
}

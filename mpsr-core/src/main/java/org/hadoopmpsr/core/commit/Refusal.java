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
package org.hadoopmpsr.core.commit;

import org.hadoopmpsr.core.text.PrintableText;

/**
 * The refusal of a commit by the NameNode. The call has published nothing. The NameNode refuses a repeated call too, until
 * something else changes.
 *
 * @param reason the problem, the cause and the remedy, for people, in printable form
 */
public record Refusal(Kind kind, String reason) {
    public Refusal {
        reason = PrintableText.ofMessage(reason);
    }

    /** True if the same call succeeds as soon as an operator has acted. The writer then need not change anything. */
    public boolean mayPass() {
        return switch (kind) {
            case NO_PERMISSION, NO_SPACE, NOT_READY, OTHER_VERSION -> true;
            default -> false;
        };
    }

    /** What must change before the call can succeed. */
    public enum Kind {
        /** There is no dataset at the path. */
        NO_SUCH_DATASET,
        /** The dataset at the path is not the one that the writer knows. It was dropped and created again, or moved. */
        OTHER_DATASET,
        /** A topic is not the one of the dataset's committed offsets. It was deleted and created again. */
        OTHER_TOPIC,
        /** The writer lacks a permission. */
        NO_PERMISSION,
        /** The commit has more files than one commit may have. */
        TOO_MANY_FILES,
        /** A quota is too small. */
        NO_SPACE,
        /** MPSR is off in the NameNode, or has too few DataNodes. */
        NOT_READY,
        /** The staged files are gone, or differ from the commit's list. Stage them again, under a new id. */
        NOT_STAGED,
        /**
         * A segment cannot be replaced now: its files were changed, are lost, or have rights of their own. Other segments can.
         */
        NOT_REPLACEABLE,
        /** The dataset's groups were altered since the writer has asked for them. Open the dataset anew. */
        GROUPS_CHANGED,
        /** The commit itself is wrong. */
        INVALID,
        /** The NameNode runs a version of MPSR that lacks the call. */
        OTHER_VERSION
    }
}

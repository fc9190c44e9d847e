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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/** A directory that a program lists. What HDFS tells is kept, because a program may go back. Thread-safe. */
final class OpenDirectory {
    private final Node node;
    private final Lists lists;
    private final List<Listed> known = new ArrayList<>();
    private RemoteIterator<Listed> rest;

    /** A name in the directory, with what HDFS tells of it. */
    record Listed(String name, FileStatus status, Node.Place place) {}

    /** Begins the list of the directory. */
    interface Lists {
        RemoteIterator<Listed> begin() throws IOException;
    }

    OpenDirectory(Node node, Lists lists) throws IOException {
        this.node = node;
        this.lists = lists;
        this.rest = lists.begin();
    }

    Node node() {
        return node;
    }

    /** Forgets what is known, as {@code rewinddir} wants. */
    synchronized void rewind() throws IOException {
        if (!known.isEmpty()) {
            known.clear();
            rest = lists.begin();
        }
    }

    /** The name at a place, counted from 0; null at the end. */
    synchronized @Nullable Listed at(long place) throws IOException {
        while (known.size() <= place && rest.hasNext()) {
            known.add(rest.next());
        }
        return place < known.size() ? known.get((int) place) : null;
    }
}

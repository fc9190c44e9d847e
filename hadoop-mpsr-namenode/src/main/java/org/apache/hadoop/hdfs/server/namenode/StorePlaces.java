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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What MPSR knows of the places in the store, for HDFS's permission checks. Thread-safe. */
public interface StorePlaces {

    /**
     * What lies at a path of the store. Called under the namesystem's read lock for each check of such a path, and
     * must be fast.
     *
     * @param path the names from the root on
     * @param first the position of the first name below the store directory; the length for the store directory itself
     * @param dataset the file or directory that the second name below the store directory names; null if it is not known
     * @throws IOException if that is not known; the place then counts as {@link Closed}
     */
    Place at(byte[][] path, int first, @Nullable INode dataset) throws IOException;

    /** Who may do what at a place. */
    sealed interface Place permits Closed, Staged, Representation {}

    /** Superusers alone. */
    record Closed() implements Place {}

    /**
     * The files of a commit that is not published: whoever may by the rights of the files.
     *
     * @param passage the number of names, from the top, that everybody may pass
     */
    record Staged(int passage) implements Place {}

    /**
     * A representation of a dataset: whoever may list the dataset directory and read all that lies below it may read.
     *
     * @param home the inode id of the dataset directory
     * @param below the distinct rights of the files and directories below it
     */
    record Representation(long home, Collection<NodeRights> below) implements Place {}
}

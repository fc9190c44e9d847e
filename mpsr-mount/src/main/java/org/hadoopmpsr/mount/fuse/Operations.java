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
package org.hadoopmpsr.mount.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * What a file system does for the kernel. Nodes are numbers that {@link Entry entries} gave; {@link #ROOT} is known from the start.
 * All methods are called by several threads at a time. An {@link ErrnoException} says what the program sees; other exceptions are
 * translated by who serves.
 */
public interface Operations {
    /** The node of the mounted directory. */
    long ROOT = 1;

    /** What a name in a directory leads to. The kernel counts the entry. */
    Entry lookup(long parent, String name) throws IOException;

    /** Takes back so many counted entries of a node. */
    void forget(long node, long count);

    /**
     * The attributes of a node.
     *
     * @param handle by which the file is open; 0 if the kernel does not say
     */
    Attributes attributes(long node, long handle) throws IOException;

    /** Changes attributes, and returns what they are then. */
    Attributes change(long node, AttributeChange change) throws IOException;

    /** Makes a directory. The kernel counts the entry. */
    Entry makeDirectory(long parent, String name, int mode) throws IOException;

    /** Makes an empty file, which is not open. The kernel counts the entry. */
    Entry makeFile(long parent, String name, int mode) throws IOException;

    /** Deletes a file. */
    void unlink(long parent, String name) throws IOException;

    /** Deletes an empty directory. */
    void removeDirectory(long parent, String name) throws IOException;

    /**
     * Gives a file or directory another name.
     *
     * @param replace false if there must be nothing of the new name
     */
    void rename(long parent, String name, long newParent, String newName, boolean replace) throws IOException;

    /** Opens a file, with the flags of {@code open(2)}. */
    Opened open(long node, int flags) throws IOException;

    /** A new file that is open. */
    record Created(Entry entry, Opened opened) {}

    /** Makes a file and opens it. The kernel counts the entry. */
    Created create(long parent, String name, int mode, int flags) throws IOException;

    /**
     * Reads into a buffer until it is full or the file ends.
     *
     * @param inSequence true if this read comes after the one before it in the file, and no other read of the handle is under way
     *     that does, too
     */
    void read(long handle, long offset, ByteBuffer into, boolean inSequence) throws IOException;

    /** Writes all of the bytes. */
    void write(long handle, long offset, ByteBuffer bytes) throws IOException;

    /** A descriptor of the open file is closed; others may stay. What was written is visible to other readers then. */
    void flush(long handle) throws IOException;

    /** What was written is on disks then. */
    void sync(long handle) throws IOException;

    /** The last descriptor of the open file is closed. */
    void release(long handle) throws IOException;

    /** Opens a directory to be listed. */
    long openDirectory(long node) throws IOException;

    /** Lists what fits, from where the kernel stopped; 0 is the beginning. Nothing is added at the end of the list. */
    void list(long handle, long from, DirectoryBuffer into) throws IOException;

    /** Closes a directory. */
    void releaseDirectory(long handle);

    /** The value of an extended attribute. Fails with {@code ENODATA} if there is none. */
    byte[] extendedAttribute(long node, String name) throws IOException;

    /** The names of the extended attributes. */
    Collection<String> extendedAttributes(long node) throws IOException;

    /** Sets an extended attribute, with the flags of {@code setxattr(2)}. */
    void setExtendedAttribute(long node, String name, byte[] value, int flags) throws IOException;

    /** Removes an extended attribute. Fails with {@code ENODATA} if there is none. */
    void removeExtendedAttribute(long node, String name) throws IOException;

    /** Fails unless the program may do what the bits of {@code access(2)} say. */
    void access(long node, int mask) throws IOException;

    /** The room of the file system. */
    Statistics statistics(long node) throws IOException;
}

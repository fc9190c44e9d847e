/** Which DataNode belongs to which replica group. */
package org.hadoopmpsr.core.alloc;

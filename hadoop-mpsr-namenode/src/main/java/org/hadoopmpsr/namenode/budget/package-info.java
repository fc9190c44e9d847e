/** What calls to MPSR may take of the NameNode together: handlers, memory and time. */
package org.hadoopmpsr.namenode.budget;
